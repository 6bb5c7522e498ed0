/**
 * GETs of named objects from the cache at the aggregation endpoint, by names without a cluster, beside a bare HTTPS server of Node that
 * answers the same bytes: CPU time of each, and how long they take at a steady rate. Three generated members; needs no clusters.
 * `BENCH_PODS`, `BENCH_ROUNDS`, `BENCH_REQUESTS`, `BENCH_RATE` and `BENCH_SECONDS` make it smaller.
 */

import { cpus, loadavg } from 'node:os';
import { createAuthority } from '@fleet/bed/pki.ts';
import type { ClientCommands } from './cache/client.ts';
import { type GeneratedFleet, startGeneratedFleet } from './cache/generated-fleet.ts';
import { nameOf, namespaceOf, podText } from './cache/generated-pod.ts';
import { proxied } from './cache/paths.ts';
import type { PlainServerCommands } from './cache/plain-server.ts';
import { cpuTime } from './memory.ts';
import { inTurns, quantile, ratios, spread } from './ratio.ts';
import { type ChildProcess, startChildProcess } from './scale/child-process.ts';

const pods = Number(process.env['BENCH_PODS'] ?? 10_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const requests = Number(process.env['BENCH_REQUESTS'] ?? 10_000);
const perSecond = Number(process.env['BENCH_RATE'] ?? 1_000);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);

const ours = 'ours';
const bare = 'bare server';
type Side = typeof ours | typeof bare;

interface Taken {
  /** CPU time of one request, in microseconds. */
  cpu: number;
  p50: number;
  p99: number;
  failed: number;
}

interface Parts {
  client: ChildProcess<ClientCommands>;
  pids: Record<Side, number>;
}

export async function benchCacheGets(): Promise<void> {
  console.log(`${cpus().length} cores, load ${load()}; ${pods} pods of 3 members, ${rounds} rounds`);
  await using stack = new AsyncDisposableStack();
  const fleet = stack.use(await startGeneratedFleet(3, pods, true));
  const client = start<ClientCommands>(stack, 'client');
  await client.call('know', [fleet.server]);
  await fleet.fill();
  const path = (index: number) => `${proxied}/api/v1/namespaces/${namespaceOf(index)}/pods/${nameOf(index)}`;
  const paths = Array.from({ length: 999 }, (_, index) => path(Math.floor((index * pods) / 999)));
  const server = start<PlainServerCommands>(stack, 'plain-server');
  const url = await plainServer(server, fleet);
  await client.call('know', [fleet.server, { ...fleet.server, ...url }]);
  const parts: Parts = { client, pids: { [ours]: fleet.pid, [bare]: server.pid } };
  for (const query of ['?resourceVersion=0', '']) {
    const asked = paths.map((one) => `${one}${query}`);
    await compare(`16 connections${query}`, parts, (name) =>
      client.call('total', { servers: [name], paths: asked, total: requests }),
    );
    await compare(`${perSecond} a second${query}`, parts, (name) =>
      client.call('rate', { servers: [name], paths: asked, perSecond, seconds }),
    );
  }
  console.log(`answers: ${await fleet.metrics.value('fleet_cache_answers_total', 'by="cached"')} cached`);
}

const load = (): string => loadavg()[0]!.toFixed(1);

const start = <Commands extends ClientCommands | PlainServerCommands>(
  stack: AsyncDisposableStack,
  file: string,
): ChildProcess<Commands> =>
  stack.use(startChildProcess<Commands>(new URL(`./cache/${file}.ts`, import.meta.url).pathname));

/** It answers a pod of the same size. */
async function plainServer(server: ChildProcess<PlainServerCommands>, fleet: GeneratedFleet) {
  const authority = await createAuthority('bench');
  const pair = await authority.issue({ name: 'bare', ips: ['127.0.0.1'] });
  const body = `${podText(0, 0, 1_000_000)}\n`;
  const port = await server.call('start', { ...pair, ca: fleet.server.ca, body });
  return { name: 'bare', url: `https://127.0.0.1:${port}`, ca: authority.cert };
}

async function compare(
  what: string,
  { pids }: Parts,
  run: (name: string) => Promise<{ millis: number[]; failed: number }>,
): Promise<void> {
  const measured = (side: Side, name: string) => async (): Promise<Taken> => {
    let taken: { millis: number[]; failed: number } = { millis: [], failed: 0 };
    const cpu = await cpuTime(pids[side], async () => {
      taken = await run(name);
    });
    const { millis, failed } = taken;
    if (millis.length === 0) throw new Error(`all ${failed} GETs of ${name} failed`);
    return { cpu: (cpu * 1_000) / millis.length, p50: quantile(millis, 0.5), p99: quantile(millis, 0.99), failed };
  };
  const taken = await inTurns<Side, Taken>({ [ours]: measured(ours, 'fleet'), [bare]: measured(bare, 'bare') }, rounds);
  for (const [name, digits] of [
    ['cpu', 0],
    ['p50', 2],
    ['p99', 1],
  ] as const) {
    const of = (side: Side) => taken[side].map((one) => one[name]);
    const unit = name === 'cpu' ? 'us' : 'ms';
    const failed = taken[ours].reduce((sum, one) => sum + one.failed, 0);
    const note = failed > 0 ? `, ${failed} failed` : '';
    console.log(
      `${what}, ${name}: ${ours} ${spread(of(ours), digits)} ${unit}${note}; ${bare} ${spread(of(bare), digits)} ${unit}; ` +
        `ratio ${spread(ratios(of(ours), of(bare)), 2)}; load ${load()}`,
    );
  }
}
