/**
 * Watchers of three members' ConfigMaps through the product, against as many at one kube-apiserver at the same rate of
 * events: what a delivery takes of the server's CPU; and how much later an event comes than from its member.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { type Crowd, startCrowd, type WatcherReport } from '@fleet/suites/watch-crowd.ts';
import { makeEvents, prepareEvents, watchedFromNow } from '@fleet/suites/watch-events.ts';
import type { Protocol } from '@fleet/suites/watch-stream.ts';
import { cpuTime, waitedForCpu } from './memory.ts';
import { quantile, spread } from './ratio.ts';

const sizes = (process.env['BENCH_WATCHERS'] ?? '1,100,1000').split(',').map(Number);
const perSecond = Number(process.env['BENCH_EVENTS'] ?? 100);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 2);
const protocols = (process.env['BENCH_PROTOCOLS'] ?? 'HTTP/1.1,HTTP/2').split(',') as Protocol[];
/** A folder for profiles of the product, by `node --cpu-prof`. */
const profiles = process.env['BENCH_PROFILES'];

interface Taken {
  /** Microseconds of CPU for each event that one watcher received. */
  cpu: number;
  deliveries: number;
  seconds: number;
  /** Milliseconds that the server waited for a CPU. */
  waited: number;
}

/** Milliseconds by which events came later than from their member. */
interface Added {
  all: number[];
  /** Of the first second of each round. */
  first: number[];
}

export async function benchWatch(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  // Other controllers watch ConfigMaps, too.
  const controllers = ['serviceaccount-controller'];
  const start = async (name: string) => stack.use(await startMember({ name, nodes: 0, controllers }));
  const [controlPlane, ...members] = await Promise.all(['control-plane', 'member1', 'member2', 'member3'].map(start));
  const nodeFlags = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [];
  const product = stack.use(await startProduct({ controlPlane: controlPlane!, nodeFlags }));
  await prepareEvents(members);
  for (const member of members) await product.join(member);
  const member = members[0]!;
  const apiserver = pidOf(member);

  console.log(`${perSecond} events/s for ${seconds} s, ${rounds} rounds in turns, median (and 0.1 to 0.9)`);
  for (const protocol of protocols) {
    for (const size of sizes) {
      const [ours, direct]: Taken[][] = [[], []];
      const added: Added = { all: [], first: [] };
      for (let round = 0; round < rounds; round++) {
        // What the changes themselves take of it, without anybody who watches.
        const alone = await cpuTime(apiserver, () => makeEvents([member], perSecond, seconds));
        const idle = await cpuTime(product.pid, () => makeEvents(members, perSecond, seconds));
        direct!.push(await measure(member, size, protocol, apiserver, [member], alone));
        using probe = startCrowd();
        ours!.push(
          await measure(product, size, protocol, product.pid, members, idle, () => openProbe(probe, product, members)),
        );
        await addLatencies(added, probe);
      }
      print(`${protocol}, ${size} watchers`, ours!, direct!, added);
    }
  }
}

async function measure(
  from: Product | Member,
  count: number,
  protocol: Protocol,
  pid: number,
  members: readonly Member[],
  alone: number,
  opened: () => Promise<void> = async () => {},
): Promise<Taken> {
  using crowd = startCrowd();
  const { server, ca, admin } = from;
  const path = await watchedFromNow(from);
  await crowd.open({ name: 'all', from: { server, ca, admin }, path, protocol, count });
  await opened();
  const started = performance.now();
  const waitedBefore = waitedForCpu(pid);
  const cpu = await cpuTime(pid, async () => {
    const made = await makeEvents(members, perSecond, seconds);
    const events = Object.values(made.counts).reduce((sum, one) => sum + one, 0);
    await until('all events are delivered', async () => (await crowd.count('all')) === events * count, {
      timeout: 120_000,
    });
  });
  const deliveries = await crowd.count('all');
  return {
    cpu: ((cpu - alone) * 1_000) / deliveries,
    deliveries,
    seconds: (performance.now() - started) / 1_000,
    waited: waitedForCpu(pid) - waitedBefore,
  };
}

/** A process with little to do; those through the product come last there, behind all others. */
async function openProbe(probe: Crowd, product: Product, members: readonly Member[]): Promise<void> {
  for (const member of members) {
    const { directServer: server, ca, admin } = member;
    const path = await watchedFromNow(member);
    await probe.open({
      name: member.name,
      from: { server, ca, admin },
      path,
      protocol: 'HTTP/1.1',
      count: 1,
      stamped: true,
    });
  }
  const { server, ca, admin } = product;
  const path = await watchedFromNow(product);
  await probe.open({
    name: 'through',
    from: { server, ca, admin },
    path,
    protocol: 'HTTP/1.1',
    count: 5,
    stamped: true,
  });
}

async function addLatencies({ all, first }: Added, probe: Crowd): Promise<void> {
  const reports: WatcherReport[] = [];
  for (const name of ['member1', 'member2', 'member3']) reports.push(...(await probe.report(name)));
  const direct = new Map(reports.flatMap(({ stamps }) => stamps));
  const through = await probe.report('through');
  const begun = Math.min(...direct.values());
  for (const [mark, at] of through.flatMap(({ stamps }) => stamps)) {
    const added = at - direct.get(mark)!;
    all.push(added);
    if (direct.get(mark)! - begun < 1_000) first.push(added);
  }
}

function print(name: string, ours: readonly Taken[], direct: readonly Taken[], added: Added): void {
  const rate = (side: readonly Taken[]) => spread(side.map(({ deliveries, seconds }) => deliveries / seconds));
  const cpu = (side: readonly Taken[]) =>
    spread(
      side.map(({ cpu }) => cpu),
      1,
    );
  const ratio = spread(
    ours.map(({ cpu }, round) => cpu / direct[round]!.cpu),
    2,
  );
  const [p50, p99] = [0.5, 0.99].map((at) => quantile(added.all, at).toFixed(1));
  const firstSecond = quantile(added.first, 0.99).toFixed(1);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const waiting = sum(ours.map(({ waited }) => waited)) / sum(ours.map(({ seconds }) => seconds * 10));
  console.log(
    `${name}: ours ${rate(ours)} deliveries/s, ${cpu(ours)} us of CPU each; ` +
      `kube-apiserver ${rate(direct)}, ${cpu(direct)} us; CPU ratio ${ratio}; ` +
      `added latency p50 ${p50} ms, p99 ${p99} ms, in the first second p99 ${firstSecond} ms; ` +
      `ours waited ${waiting.toFixed(0)} % of the time for a CPU; load ${loadavg()[0]!.toFixed(0)}`,
  );
}

/** Of a member's API server, known by its port. */
function pidOf({ directServer }: Member): number {
  const port = `--secure-port=${new URL(directServer).port}`;
  const isIt = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(port);
    } catch {
      // Ended meanwhile.
      return false;
    }
  };
  const found = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && isIt(entry));
  if (!found) throw new Error(`no process with ${port}`);
  return Number(found);
}
