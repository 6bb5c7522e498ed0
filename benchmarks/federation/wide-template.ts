/** One template over many simulated clusters: how long after a change the last member has it, and when the status is reported. */

import { loadavg } from 'node:os';
import { until } from '@fleet/bed/until.ts';
import { cpuTime } from '../memory.ts';
import { quantile, spread } from '../ratio.ts';
import { difference, startScene } from './simulated-scene.ts';
import { configMaps, duplicated, policiesPath } from './templates.ts';
import { listOf, totalsOf } from './write-counts.ts';

const name = 'wide';

export async function benchWideTemplate({ clusters, rounds }: { clusters: number; rounds: number }): Promise<void> {
  console.log(`\none ConfigMap in ${clusters} clusters, ${rounds} changes`);
  await using stack = new AsyncDisposableStack();
  const scene = await startScene(stack, { count: clusters, nodes: 1, kind: configMaps });
  const { api, members, fleet } = scene;
  await members.call('watch', { path: configMaps.path, name });
  await api.object(policiesPath, { method: 'POST', body: duplicated(configMaps) });
  await scene.untilAtRest();
  /** Milliseconds after it until the first, half of them and the last have it. */
  const change = async (value: string, write: () => Promise<unknown>): Promise<number[]> => {
    const begun = performance.timeOrigin + performance.now();
    await write();
    let seen: number[] = [];
    const have = async () => {
      seen = await members.call('seen', value);
      return seen.length === clusters;
    };
    await until(`all members have value ${value}`, have, { timeout: 300_000, every: 50 });
    return [0, 0.5, 1].map((part) => quantile(seen, part) - begun);
  };
  const created = await change('0', () =>
    api.object(configMaps.path, { method: 'POST', body: configMaps.template(name) }),
  );
  await scene.untilAtRest();
  console.log(`created: ${shown(created)}; load ${load()}`);
  const taken: number[][] = [];
  await scene.longestTurn();
  const before = await scene.writes();
  const cpu = await cpuTime(fleet.pid, async () => {
    for (let round = 1; round <= rounds; round++) {
      const value = `${round}`;
      const body = configMaps.change(value);
      const contentType = 'application/merge-patch+json';
      taken.push(
        await change(value, () => api.object(`${configMaps.path}/${name}`, { method: 'PATCH', body, contentType })),
      );
      await scene.untilAtRest();
    }
  });
  const turn = await scene.longestTurn();
  const { controlPlane, members: theirs } = difference(await scene.writes(), before);
  const objects = rounds * clusters;
  console.log(
    `changed: the last member has it after ${spread(taken.map(([, , last]) => last!))} ms, the first after ` +
      `${spread(taken.map(([first]) => first!))} ms; ${(cpu / rounds).toFixed(0)} ms of the product's CPU for each, its heartbeats included; ` +
      `longest turn ${turn.work.toFixed(0)} ms of CPU, late by ${turn.delay.toFixed(0)} ms at most; load ${load()}\n` +
      `  writes per object: control plane ${(totalsOf(controlPlane).written / objects).toFixed(2)} (${listOf(controlPlane, objects)}), ` +
      `members ${(totalsOf(theirs).written / objects).toFixed(2)} (${listOf(theirs, objects)})`,
  );
}

const load = (): string => loadavg()[0]!.toFixed(1);
const shown = ([first, half, last]: readonly number[]): string =>
  `the first member has it after ${first!.toFixed(0)} ms, half of them after ${half!.toFixed(0)} ms, the last after ${last!.toFixed(0)} ms`;
