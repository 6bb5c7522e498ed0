/** Many templates over many simulated clusters: how long until all are applied, changed and removed, and what is written for it. */

import { loadavg } from 'node:os';
import { until } from '@fleet/bed/until.ts';
import { cpuTime, memoryOf, peakGrowth } from '../memory.ts';
import { difference, type Scene, startScene, type Writes } from './simulated-scene.ts';
import { tableColumn } from './table-column.ts';
import { bindingsPath, duplicated, type Kind, policiesPath, selector } from './templates.ts';
import { listOf, totalsOf } from './write-counts.ts';

export interface ManyOptions {
  kind: Kind;
  templates: number;
  clusters: number;
  /** How many of the clusters each template goes to. */
  spread: number;
}

const patience = { timeout: 3_600_000, every: 1_000 };

export async function benchManyTemplates({ kind, templates, clusters, spread }: ManyOptions): Promise<void> {
  console.log(`\n${templates} ${kind.kind}s, each in ${spread} of ${clusters} clusters`);
  await using stack = new AsyncDisposableStack();
  const nodes = kind.kind === 'Deployment' ? Math.max(1, Math.ceil(templates / 100)) : 1;
  const scene = await startScene(stack, { count: clusters, nodes, kind });
  const { api, load, fleet, names } = scene;
  const target = { origin: fleet.product.spec.origin, tls: fleet.product.tls, connections: 16, requests: templates };
  const path = `${fleet.product.spec.base}${kind.path}`;
  const chosen = spread < clusters ? names.slice(0, spread) : undefined;
  await api.object(policiesPath, { method: 'POST', body: duplicated(kind, chosen) });
  await scene.untilAtRest();
  const objects = templates * spread;
  const measure = (what: string, work: () => Promise<void>) => measured(scene, { what, objects, templates }, work);

  await measure('created', async () => {
    const { seconds } = await load.run({ ...target, path, body: JSON.stringify(kind.template('t-{n}')) });
    console.log(`${templates} templates were created in ${seconds.toFixed(1)} s`);
    await untilFullyApplied(scene, templates);
  });
  await measure('changed', async () => {
    const body = JSON.stringify(kind.change('1'));
    await load.run({ ...target, path: `${path}/t-{n}`, body, patches: true });
    await scene.untilAtRest();
  });
  await measure('deleted', async () => {
    await api.object(`${kind.path}?${selector}`, {
      method: 'DELETE',
      body: { kind: 'DeleteOptions', apiVersion: 'v1' },
      timeout: 120_000,
    });
    const areGone = async () => (await tableColumn(api, bindingsPath, 'Name')).length === 0;
    await until('all bindings are gone', areGone, patience);
  });
  // A profile is written when it ends.
  await fleet.product.stop();
}

async function untilFullyApplied({ api }: Scene, templates: number): Promise<void> {
  const areApplied = async () => {
    const column = await tableColumn(api, bindingsPath, 'FULLYAPPLIED');
    return column.filter((one) => one === 'True').length === templates;
  };
  await until('all are FullyApplied', areApplied, patience);
}

interface Counted {
  what: string;
  objects: number;
  templates: number;
}

async function measured(scene: Scene, counted: Counted, work: () => Promise<void>): Promise<void> {
  const { fleet, members } = scene;
  const before = await scene.writes();
  await scene.longestTurn();
  const begun = performance.now();
  let [applied, rested] = [0, 0];
  let memory = { before: 0, peak: 0 };
  const cpu = await cpuTime(fleet.pid, async () => {
    memory = await peakGrowth(fleet.pid, async () => {
      await work();
      applied = performance.now() - begun;
      rested = (await scene.untilAtRest()) - begun;
    });
  });
  const turn = await scene.longestTurn();
  report(counted, difference(await scene.writes(), before));
  const seconds = (millis: number) => (millis / 1_000).toFixed(1);
  console.log(
    `${counted.what}: all after ${seconds(Math.min(applied, rested))} s, at rest after ${seconds(rested)} s, ${seconds(cpu)} s of the ` +
      `product's CPU; memory ${memory.before.toFixed(0)} MiB before, ${memory.peak.toFixed(0)} MiB at most, ` +
      `members ${memoryOf(members.pid).toFixed(0)} MiB; the longest turn of the event loop took ${turn.work.toFixed(0)} ms of CPU, ` +
      `it was late by ${turn.delay.toFixed(0)} ms at most; load ${loadavg()[0]!.toFixed(1)}`,
  );
}

function report({ what, objects }: Counted, { controlPlane, members }: Writes): void {
  const [own, theirs] = [totalsOf(controlPlane), totalsOf(members)];
  const each = (count: number) => (count / objects).toFixed(2);
  console.log(
    `${what}: writes per object of a member: to the control plane ${each(own.written)}, refused ${each(own.refused)}, ` +
      `events ${each(own.events)}; to members ${each(theirs.written)}\n` +
      `  control plane: ${listOf(controlPlane, objects)}\n  members: ${listOf(members, objects)}`,
  );
}
