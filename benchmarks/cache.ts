/**
 * The aggregation cache beside karmada-search and kube-apiserver, in one run over three real members: lists, pages, selectors and
 * named objects, each also compressed, and watchers. `BENCH_PODS`, `BENCH_ROUNDS`, `BENCH_SECONDS`, `BENCH_RATE`, `BENCH_WATCHERS`
 * and `BENCH_PARTS` (`reads`, `get`, `watch`) make it smaller; `BENCH_KARMADA=no` leaves karmada-search out.
 */

import { cpus, loadavg } from 'node:os';
import type { Ask, Taken } from './cache/client.ts';
import { podsPath, proxied } from './cache/paths.ts';
import { nameOf, namespace, type Scene, startScene } from './cache/scene.ts';
import { benchDeliveries } from './cache/watch-deliveries.ts';
import { memoryOf } from './memory.ts';
import { inTurns, quantile, ratios, spread } from './ratio.ts';
import { tableAccept } from './reader.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 9);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const perSecond = Number(process.env['BENCH_RATE'] ?? 1_000);
const parts = (process.env['BENCH_PARTS'] ?? 'reads,get,watch').split(',');

const ours = 'ours';
const theirs = 'karmada-search';
const direct = 'three direct ones at once';
type Side = typeof ours | typeof theirs | typeof direct;

interface Latencies {
  p50: number;
  p99: number;
  failed: number;
}

interface Read {
  name: string;
  /** Behind the path of pods, which is another at a member itself. */
  query: string;
  accept?: string;
  /** The ratio of the times, at most. */
  aims: Partial<Record<Side, number>>;
}

const reads: readonly Read[] = [
  { name: 'list of all, resourceVersion=0', query: '?resourceVersion=0', aims: { [theirs]: 0.1, [direct]: 1 } },
  { name: 'Table page of 500', query: '?limit=500', accept: tableAccept, aims: {} },
  { name: 'label selector of 2 %', query: '?resourceVersion=0&labelSelector=app%3Dapp-7', aims: {} },
];

export async function benchCache(): Promise<void> {
  console.log(`${cpus().length} cores, load ${load()}, ${rounds} rounds`);
  await using stack = new AsyncDisposableStack();
  const scene = await startScene(stack);
  console.log(`${scene.pods} pods of 3 members; resident: ${memory(scene)}`);
  if (parts.includes('reads')) {
    for (const read of reads) for (const gzip of [false, true]) await compareReads(scene, read, gzip);
  }
  if (parts.includes('get')) for (const gzip of [false, true]) await compareGets(scene, gzip);
  if (parts.includes('watch')) print(await benchDeliveries(scene, Math.min(rounds, 3)));
  console.log(`at the end: ${memory(scene)}`);
}

const memory = ({ product, karmada }: Scene): string =>
  [
    `${ours} ${memoryOf(product.pid).toFixed(0)} MiB`,
    ...(karmada ? [`${theirs} ${memoryOf(karmada.pid).toFixed(0)} MiB`] : []),
  ].join(', ');
const load = (): string => loadavg()[0]!.toFixed(1);
const print = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}; load ${load()}`);

async function compareReads({ client, members, karmada }: Scene, read: Read, gzip: boolean): Promise<void> {
  const { query, accept, aims } = read;
  const list = (servers: readonly string[], path: string) => {
    const ask: Ask = { servers, path: `${path}${query}`, gzip, ...(accept ? { accept } : {}) };
    return client.call('list', ask);
  };
  const all = members.map(({ name }) => name);
  const taken = await inTurns<Side, Taken>(
    {
      [ours]: () => list(['product'], podsPath),
      ...(karmada ? { [theirs]: () => list([theirs], podsPath) } : {}),
      [direct]: () => list(all, '/api/v1/pods'),
    } as Record<Side, () => Promise<Taken>>,
    rounds,
  );
  const millis = (side: Side) => taken[side].map((one) => one.millis);
  const sides = Object.keys(taken) as Side[];
  const shown = sides.map(
    (side) => `${side} ${spread(millis(side), 1)} ms, ${(taken[side][0]!.bytes / 1e6).toFixed(2)} MB`,
  );
  const compared = sides.slice(1).map((side) => {
    const ratio = ratios(millis(ours), millis(side));
    return `ratio to ${side} ${spread(ratio, 2)}${verdict(quantile(ratio, 0.5), aims[side])}`;
  });
  print(`${read.name}${gzip ? ', gzip' : ''}: ${[...shown, ...compared].join('; ')}`);
}

const verdict = (ratio: number, aim: number | undefined): string =>
  aim === undefined ? '' : ` (aim ${aim}, ${ratio <= aim ? 'met' : 'missed'})`;

/** At a steady rate, of pods of all members. */
async function compareGets({ client, members, pods, karmada }: Scene, gzip: boolean): Promise<void> {
  const each = pods / members.length;
  const names = Array.from({ length: 999 }, (_, index) => {
    const { name } = members[index % members.length]!;
    return nameOf(name, Math.floor((index * each) / 999));
  });
  const base = `${proxied}/api/v1/namespaces/${namespace}/pods`;
  const paths = names.map((name) => `${base}/${name}?resourceVersion=0`);
  const get = async (server: string): Promise<Latencies> => {
    const { millis, failed } = await client.call('rate', { servers: [server], paths, perSecond, seconds, gzip });
    if (millis.length === 0) throw new Error(`all ${failed} GETs of ${server} failed`);
    return { p50: quantile(millis, 0.5), p99: quantile(millis, 0.99), failed };
  };
  const taken = await inTurns<Side, Latencies>(
    { [ours]: () => get('product'), ...(karmada ? { [theirs]: () => get(theirs) } : {}) } as Record<
      Side,
      () => Promise<Latencies>
    >,
    Math.min(rounds, 3),
  );
  for (const what of ['p50', 'p99'] as const) {
    const of = (side: Side) => taken[side].map((one) => one[what]);
    const failed = (side: Side) => taken[side].reduce((sum, one) => sum + one.failed, 0);
    const sides = Object.keys(taken) as Side[];
    const shown = sides.map((side) => `${side} ${spread(of(side), 2)} ms, ${failed(side)} failed`);
    const ratio = karmada ? ratios(of(ours), of(theirs)) : undefined;
    const compared = ratio ? [`ratio ${spread(ratio, 2)}${verdict(quantile(ratio, 0.5), 0.5)}`] : [];
    print(`GET at ${perSecond}/s${gzip ? ', gzip' : ''}, ${what}: ${[...shown, ...compared].join('; ')}`);
  }
}
