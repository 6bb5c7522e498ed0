/**
 * Many simulated clusters as members of one fleet: what they take, whether all that they hold is shown, and live lists and watches
 * over 1, 10, 50 and 200 of them, against a program that asks them all directly. Members, product and clients are processes of
 * their own. `BENCH_MEMBERS`, `BENCH_PODS` and `BENCH_ROUNDS` make it smaller.
 */

import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuTime, memoryOf, peakGrowth } from './memory.ts';
import { inTurns, quantile, ratios, spread } from './ratio.ts';
import { type ChildProcess, startChildProcess } from './scale/child-process.ts';
import { type Fleet, startFleet } from './scale/fleet.ts';
import { checkPods, checkReady, startKubectl } from './scale/kubectl.ts';
import type { ListAsk, Read, ReaderCommands } from './scale/list-and-watch-client.ts';
import type { MembersCommands, StartedMember } from './scale/members.ts';

const sizes = (process.env['BENCH_MEMBERS'] ?? '1,10,50,200').split(',').map(Number);
const pods = Number(process.env['BENCH_PODS'] ?? 1_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const changes = 30;

/** What was needed for a start is given back within it, and members are probed. */
const settleMillis = 15_000;

const all = Math.max(...sizes);

interface Parts {
  fleet: Fleet;
  members: ChildProcess<MembersCommands>;
  reader: ChildProcess<ReaderCommands>;
}

export async function benchScale(): Promise<void> {
  console.log(`${cpus().length} cores, load ${load()}; ${all} members with ${pods} pods each, ${rounds} rounds`);
  await using stack = new AsyncDisposableStack();
  const members = stack.use(
    startChildProcess<MembersCommands>(new URL('./scale/members.ts', import.meta.url).pathname),
  );
  const started = await startMembers(members);
  const fleet = stack.use(await startFleet());
  const reader = stack.use(
    startChildProcess<ReaderCommands>(new URL('./scale/list-and-watch-client.ts', import.meta.url).pathname),
  );
  const parts = { fleet, members, reader };
  await joinMembers(parts, started);
  await showWithKubectl(parts, started);
  const names = started.map(({ name }) => name);
  for (const kind of listed) {
    for (const size of sizes) await compareLists(parts, names.slice(0, size), kind);
  }
  await compareWatches(parts, names);
  await measureDelivery(parts, names);
  await reportMemory(parts);
}

const load = (): string => loadavg()[0]!.toFixed(1);

/** The first is timed apart: it loads what all share. */
async function startMembers(members: ChildProcess<MembersCommands>): Promise<StartedMember[]> {
  const [first] = await members.call('start', ['member-000']);
  const alone = await members.call('memory', undefined);
  const names = Array.from({ length: all - 1 }, (_, index) => `member-${String(index + 1).padStart(3, '0')}`);
  const further = await members.call('start', names);
  const idle = await members.call('memory', undefined);
  const millis = further.map((one) => one.millis);
  const each = ((idle - alone) / Math.max(1, names.length)).toFixed(1);
  console.log(
    `a further idle cluster, nodes Ready: ${spread(millis)} ms, at most ${Math.max(...millis).toFixed(0)} ms, ${each} MiB; ` +
      `the first ${first!.millis.toFixed(0)} ms; load ${load()}`,
  );
  const begun = performance.now();
  await members.call('fill', pods);
  const filled = ((performance.now() - begun) / 1_000).toFixed(0);
  const memory = await members.call('memory', undefined);
  console.log(`${all} clusters with ${pods} pods each, filled in ${filled} s: ${memory.toFixed(0)} MiB`);
  return [first!, ...further];
}

async function joinMembers({ fleet, members, reader }: Parts, started: readonly StartedMember[]): Promise<void> {
  const empty = memoryOf(fleet.pid);
  const begun = performance.now();
  let seconds = 0;
  const cpu = await cpuTime(fleet.pid, async () => {
    const servers = await fleet.join(started);
    await reader.call('know', [fleet.server, ...servers]);
    seconds = (performance.now() - begun) / 1_000;
  });
  await pause(settleMillis);
  await members.call('lateness', undefined);
  const idle = { product: 0, members: 0 };
  idle.product = await cpuTime(fleet.pid, async () => {
    idle.members = await cpuTime(members.pid, () => pause(settleMillis));
  });
  const { p99, most } = await members.call('lateness', undefined);
  const share = (millis: number) => `${((100 * millis) / settleMillis).toFixed(1)} %`;
  console.log(
    `the product was ready in ${fleet.startMillis.toFixed(0)} ms; ${all} members joined and Ready in ${seconds.toFixed(0)} s, ` +
      `${(cpu / 1_000).toFixed(1)} s of its CPU; memory ${empty.toFixed(0)} MiB before, ${memoryOf(fleet.pid).toFixed(0)} MiB after\n` +
      `with nothing to do the product takes ${share(idle.product)} of a core, the members ${share(idle.members)}; ` +
      `their event loop is late by ${p99.toFixed(0)} ms at p99, ${most.toFixed(0)} ms at most; load ${load()}`,
  );
}

async function showWithKubectl({ fleet }: Parts, started: readonly StartedMember[]): Promise<void> {
  const names = started.map(({ name }) => name);
  const kubectl = await startKubectl(fleet);
  const clusters = await kubectl('get', 'clusters');
  checkReady(clusters, names);
  console.log(`kubectl get clusters: ${clusters.rows.length} Ready, ${clusters.seconds.toFixed(1)} s`);
  let shown = { rows: 0, seconds: 0 };
  const { before, peak } = await peakGrowth(fleet.pid, async () => {
    const listed = await kubectl('get', 'pods', '-A', '--chunk-size=500');
    checkPods(listed, names, pods);
    shown = { rows: listed.rows.length, seconds: listed.seconds };
  });
  console.log(
    `kubectl get pods -A --chunk-size=500: ${shown.rows} pods, each once, ${shown.seconds.toFixed(1)} s; ` +
      `memory of the product ${before.toFixed(0)} MiB before, at most ${peak.toFixed(0)} MiB; load ${load()}`,
  );
}

interface Listed {
  what: string;
  path: string;
  /** Lists that a round does one after the other, so that their CPU time shows in clock ticks of 10 ms. */
  times(members: number): number;
}

const podsOfAll = '/api/v1/namespaces/load/pods';
const listed: readonly Listed[] = [
  { what: '3 nodes a member', path: '/api/v1/nodes', times: (members) => Math.max(2, 100 / members) },
  { what: `${pods} pods a member`, path: podsOfAll, times: (members) => Math.max(1, 10 / members) },
];

/** With what the product took for it; the CPU of the reader is its own. */
interface Measured extends Read {
  product: number;
}

async function through({ fleet, reader }: Parts, name: 'list' | 'watch', ask: ListAsk): Promise<Measured> {
  let read!: Read;
  const product = await cpuTime(fleet.pid, async () => {
    read = await reader.call(name, ask);
  });
  return { ...read, product: product / (ask.times ?? 1) };
}

async function compareLists(parts: Parts, names: readonly string[], { what, path, ...kind }: Listed): Promise<void> {
  const { fleet, reader } = parts;
  const times = Math.round(kind.times(names.length));
  const selector = encodeURIComponent(`clusterspace in (${names.join(',')})`);
  const chosen = names.length === all ? path : `${path}?labelSelector=${selector}`;
  const taken = await inTurns(
    {
      ours: () => through(parts, 'list', { servers: [fleet.server.name], path: chosen, times }),
      direct: async () => ({ ...(await reader.call('list', { servers: names, path, times })), product: 0 }),
      merging: async () => ({
        ...(await reader.call('list', { servers: names, path, times, merges: true })),
        product: 0,
      }),
    },
    rounds,
  );
  const { ours, direct, merging } = taken;
  const millis = (side: readonly Measured[]) => side.map((one) => one.millis);
  const cpu = (side: readonly Measured[]) => side.map((one) => one.cpu);
  const product = ours.map((one) => one.product);
  console.log(
    `list, ${names.length} members, ${what}, ${(ours[0]!.bytes / 1e6).toFixed(1)} MB: ` +
      `ours ${spread(millis(ours))} ms, direct ${spread(millis(direct))}, direct and merged ${spread(millis(merging))}; ` +
      `ratio ${spread(ratios(millis(ours), millis(direct)), 2)} and ${spread(ratios(millis(ours), millis(merging)), 2)}; ` +
      `CPU of the product ${spread(product)} ms (its client ${spread(cpu(ours))}), direct ${spread(cpu(direct))}, ` +
      `direct and merged ${spread(cpu(merging))}; ` +
      `ratio ${spread(ratios(product, cpu(direct)), 2)} and ${spread(ratios(product, cpu(merging)), 2)}; load ${load()}`,
  );
}

/** Until all initial events have come. */
async function compareWatches(parts: Parts, names: readonly string[]): Promise<void> {
  const { fleet, reader } = parts;
  for (const { what, path } of listed) {
    const taken = await inTurns(
      {
        ours: () => through(parts, 'watch', { servers: [fleet.server.name], path }),
        direct: async () => ({ ...(await reader.call('watch', { servers: names, path })), product: 0 }),
      },
      Math.min(rounds, 3),
    );
    const { ours, direct } = taken;
    const millis = (side: readonly Measured[]) => side.map((one) => one.millis);
    const product = ours.map((one) => one.product);
    console.log(
      `watch with initial events, ${names.length} members, ${what}, ${(ours[0]!.bytes / 1e6).toFixed(1)} MB: ` +
        `ours ${spread(millis(ours))} ms, ${names.length} direct ones at once ${spread(millis(direct))}, ` +
        `ratio ${spread(ratios(millis(ours), millis(direct)), 2)}; CPU of the product ${spread(product)} ms, ` +
        `direct ${spread(direct.map((one) => one.cpu))}; load ${load()}`,
    );
  }
}

async function measureDelivery({ fleet, reader }: Parts, names: readonly string[]): Promise<void> {
  const at = names.at(Math.floor(names.length / 2))!;
  const changed = `${podsOfAll}/load-000000`;
  const ask = { at, seenBy: [at, fleet.server.name], watched: podsOfAll, changed, times: changes + 1 };
  // The first one opens what the others find open.
  const [, ...taken] = await reader.call('latencies', ask);
  const added = taken.map(([direct, ours]) => ours! - direct!);
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(added, part).toFixed(1));
  const merged = taken.map(([, ours]) => ours!);
  console.log(
    `a change in one of ${names.length} members: ${spread(merged, 1)} ms from the request to the merged watch, ` +
      `${p50} ms later than to a watch of the member (p99 ${p99} ms); load ${load()}`,
  );
}

async function reportMemory({ fleet, members }: Parts): Promise<void> {
  const [held, product] = [await members.call('memory', undefined), memoryOf(fleet.pid)];
  console.log(`at the end: members ${held.toFixed(0)} MiB, the product ${product.toFixed(0)} MiB`);
}
