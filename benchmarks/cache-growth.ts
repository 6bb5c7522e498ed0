/**
 * The aggregation cache with 1 000 to 300 000 pods of generated members: how long it takes to fill, its memory, the longest pause
 * of the event loop, lists, pages, selectors and named objects; a stream of changes; and one member that is frozen.
 * `BENCH_SIZES`, `BENCH_MEMBERS`, `BENCH_ROUNDS` and `BENCH_SECONDS` make it smaller.
 */

import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@fleet/bed/until.ts';
import type { ClientCommands } from './cache/client.ts';
import { type GeneratedFleet, startGeneratedFleet } from './cache/generated-fleet.ts';
import { apps, bytesWithoutManagedFields, nameOf, namespaceOf } from './cache/generated-pod.ts';
import { podsPath, proxied } from './cache/paths.ts';
import type { LoopPauses } from './cache/product-metrics.ts';
import { cpuTime, memoryOf } from './memory.ts';
import { quantile, spread } from './ratio.ts';
import { tableAccept } from './reader.ts';
import { type ChildProcess, startChildProcess } from './scale/child-process.ts';

const sizes = (process.env['BENCH_SIZES'] ?? '1000,10000,100000,300000').split(',').map(Number);
const count = Number(process.env['BENCH_MEMBERS'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const changesPerSecond = Number(process.env['BENCH_EVENTS'] ?? 10_000);

/** In milliseconds: the aim for one turn of the event loop. */
const longestPause = 50;
const server = ['fleet'];

interface Parts {
  fleet: GeneratedFleet;
  client: ChildProcess<ClientCommands>;
  size: number;
}

interface Row {
  size: number;
  /** In bytes. */
  held: number;
  resident: number;
  cells: string[];
}

const columns = [
  'objects',
  'fill',
  'resident',
  'in use',
  'pause while filling',
  'list',
  'page of 500, p50 and p99',
  'selector of 2 %',
  'one by field selector, p50 and p99',
  'GET, p50 and p99',
  'pause while reading',
];

export async function benchCacheGrowth(): Promise<void> {
  console.log(`${cpus().length} cores, load ${load()}; ${count} members, ${rounds} rounds`);
  const rows: Row[] = [];
  for (const size of sizes) {
    rows.push(await measure(size, size === sizes.at(-1)));
    if (rows.length > 1) console.log(slope(rows.at(-2)!, rows.at(-1)!));
  }
  console.log(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`);
  for (const { cells } of rows) console.log(`| ${cells.join(' | ')} |`);
}

const load = (): string => loadavg()[0]!.toFixed(1);
const millis = (number: number): string => `${number.toFixed(number < 10 ? 1 : 0)} ms`;
const tails = (taken: readonly number[]): string => `${millis(quantile(taken, 0.5))}, ${millis(quantile(taken, 0.99))}`;
const print = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
/** On a busy machine a turn waits for the CPU; what it takes itself is what counts. */
const shown = ({ delay, work }: LoopPauses): string =>
  `${millis(delay)} (work ${millis(work)})${work > longestPause ? ', above the aim' : ''}`;

async function measure(size: number, isLast: boolean): Promise<Row> {
  await using stack = new AsyncDisposableStack();
  const fleet = stack.use(await startGeneratedFleet(count, size));
  const client = stack.use(startChildProcess<ClientCommands>(new URL('./cache/client.ts', import.meta.url).pathname));
  await client.call('know', [fleet.server]);
  const before = await fleet.heap.collected();
  const filled = await fleet.fill();
  print(`${size} pods: filled in ${(filled.millis / 1_000).toFixed(1)} s, pause ${shown(filled.loop)}; load ${load()}`);
  const held = (await fleet.heap.collected()) - before;
  const memory = memoryOf(fleet.pid);
  const parts = { fleet, client, size };
  // The collections of the debugger pause it, too.
  await fleet.metrics.pauses();
  const reads = await measureReads(parts);
  const loop = await fleet.metrics.pauses();
  if (isLast) {
    await measureChanges(parts);
    await measureFrozen(parts);
  }
  const inUse = `${(held / 2 ** 20).toFixed(0)} MiB`;
  const fill = `${(filled.millis / 1_000).toFixed(1)} s, ${Math.round((size * 1_000) / filled.millis)}/s`;
  const cells = [String(size), fill, `${memory.toFixed(0)} MiB`, inUse, shown(filled.loop), ...reads, shown(loop)];
  print(`| ${cells.join(' | ')} | load ${load()}`);
  return { size, held, resident: memory * 2 ** 20, cells };
}

async function measureReads({ client, size, fleet }: Parts): Promise<string[]> {
  const cached = await fleet.metrics.value('fleet_cache_answers_total', 'by="cached"');
  const list = await repeated(() => client.call('list', { servers: server, path: `${podsPath}?resourceVersion=0` }));
  print(`list of ${(list[0]!.bytes / 1e6).toFixed(1)} MB: ${spread(list.map((one) => one.millis))} ms`);
  const pages = await client.call('pages', {
    servers: server,
    // With 0 there are no pages: kube-apiserver lists everything then.
    path: podsPath,
    accept: tableAccept,
    limit: 500,
    pages: 200,
  });
  const selected = await repeated(() =>
    client.call('list', { servers: server, path: `${podsPath}?resourceVersion=0&labelSelector=app%3Dapp-7` }),
  );
  print(`selector of one in ${apps}: ${(selected[0]!.bytes / 1e6).toFixed(2)} MB`);
  if ((await fleet.metrics.value('fleet_cache_answers_total', 'by="cached"')) === cached) {
    throw new Error('nothing was answered from the cache');
  }
  const ofName = (index: number) => {
    const name = `metadata.name%3D${nameOf(index)}`;
    return `${proxied}/api/v1/namespaces/${namespaceOf(index)}/pods?resourceVersion=0&fieldSelector=${name}`;
  };
  const atRate = (path: (index: number) => string) =>
    client.call('rate', { servers: server, paths: Array.from(spreadOver(size), path), perSecond: 200, seconds });
  const named = await atRate(ofName);
  const got = await atRate(
    (index) =>
      `${proxied}/api/v1/namespaces/${namespaceOf(index)}/pods/${nameOf(index)}.clusterspace.member-000?resourceVersion=0`,
  );
  if (named.failed > 0 || got.failed > 0) print(`${named.failed} lists by name and ${got.failed} GETs failed`);
  return [
    `${spread(list.map((one) => one.millis))} ms, ${(list[0]!.bytes / 1e6).toFixed(0)} MB`,
    tails(pages),
    `${spread(selected.map((one) => one.millis))} ms`,
    tails(named.millis),
    got.millis.length > 0 ? tails(got.millis) : 'failed',
  ];
}

/** A first time does not count. */
async function repeated<T>(work: () => Promise<T>): Promise<T[]> {
  await work();
  const taken: T[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await work());
  return taken;
}

/** Some of what each member has. */
function* spreadOver(size: number): Generator<number> {
  const each = Math.ceil(size / count);
  const step = Math.max(1, Math.floor(each / 997));
  for (let index = 0; index < each; index += step) yield index;
}

/** What one more object takes: in use after a full collection, and resident. */
function slope(smaller: Row, larger: Row): string {
  const shown = (what: 'held' | 'resident') => {
    const each = (larger[what] - smaller[what]) / (larger.size - smaller.size);
    return `${each.toFixed(0)} bytes ${what === 'held' ? 'in use' : 'resident'}, ${(each / bytesWithoutManagedFields).toFixed(2)} times`;
  };
  return (
    `one more object, from ${smaller.size} to ${larger.size}: ${shown('held')} and ${shown('resident')} its JSON without ` +
    `managedFields (${bytesWithoutManagedFields} bytes); aim 1.3`
  );
}

async function measureChanges({ fleet, size }: Parts): Promise<void> {
  const { members, lastMember, metrics } = fleet;
  await metrics.pauses();
  let changed = 0;
  const begun = performance.now();
  const cpu = await cpuTime(fleet.pid, async () => {
    changed = await members.call('change', { perSecond: changesPerSecond, seconds });
    await members.call('add', undefined);
    await lastMember.call('add', undefined);
    const all = Math.ceil(size / count) * count + count;
    await until('all changes are in the cache', async () => (await metrics.value('fleet_cache_objects')) === all);
  });
  const taken = (performance.now() - begun) / 1_000;
  print(
    `changes: ${Math.round(changed / taken)} a second of ${changesPerSecond} asked for, all of ${changed} read ` +
      `${((taken - seconds) * 1_000).toFixed(0)} ms after the last; ${((cpu * 1_000) / changed).toFixed(0)} us of CPU each; ` +
      `pause ${shown(await metrics.pauses())}; load ${load()}`,
  );
}

/** A member that is stopped accepts connections and answers nothing. */
async function measureFrozen({ fleet, client }: Parts): Promise<void> {
  const others = `labelSelector=${encodeURIComponent(`app=app-7,clusterspace in (member-000,member-001)`)}&limit=50`;
  const reads = [
    ['of the others', 50, `/api/v1/pods?${others}`],
    // Each looks at all objects: with 300 000 of them fifty a second are more than one thread can answer.
    [
      'of all, resourceVersion=0',
      2,
      `${podsPath}?labelSelector=app%3Dapp-7&fieldSelector=spec.nodeName%3Dnode-7&resourceVersion=0`,
    ],
  ] as const;
  const measured = async () => {
    const taken: number[][] = [];
    for (const [, perSecond, path] of reads) {
      const { millis, failed } = await client.call('rate', { servers: server, paths: [path], perSecond, seconds });
      if (failed > 0) throw new Error(`${failed} of ${path} failed`);
      taken.push(millis);
    }
    return taken;
  };
  await measured();
  const well = await measured();
  process.kill(fleet.lastMember.pid, 'SIGSTOP');
  try {
    const first = await measured();
    // Its probes have failed by then, and its stream is silent for too long.
    await pause(75_000);
    const later = await measured();
    for (const [index, [what]] of reads.entries()) {
      print(
        `reads ${what}, p50 and p99: ${tails(well[index]!)}; with one of ${count} members frozen ${tails(first[index]!)}; ` +
          `75 s later ${tails(later[index]!)}`,
      );
    }
  } finally {
    process.kill(fleet.lastMember.pid, 'SIGCONT');
  }
}
