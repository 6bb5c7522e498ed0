/**
 * The aggregation cache beside karmada-search and kube-apiserver, in one run over three real members: lists, pages, selectors and
 * named objects, each also compressed, and watchers. `BENCH_PODS`, `BENCH_ROUNDS`, `BENCH_SECONDS`, `BENCH_RATE`, `BENCH_WATCHERS`
 * and `BENCH_PARTS` (`reads`, `get`, `watch`) make it smaller.
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

type Side = 'ours' | 'karmada' | 'direct';

interface Read {
  name: string;
  /** Behind the path of pods, which is another at a member itself. */
  query: string;
  accept?: string;
  aims: Partial<Record<Exclude<Side, 'ours'>, number>>;
}

const reads: readonly Read[] = [
  { name: 'list of all, resourceVersion=0', query: '?resourceVersion=0', aims: { karmada: 0.1, direct: 1 } },
  { name: 'Table page of 500', query: '?limit=500', accept: tableAccept, aims: {} },
  { name: 'label selector of 2 %', query: '?resourceVersion=0&labelSelector=app%3Dapp-7', aims: {} },
];

export async function benchCache(): Promise<void> {
  console.log(`${cpus().length} cores, load ${load()}, ${rounds} rounds`);
  await using stack = new AsyncDisposableStack();
  const scene = await startScene(stack);
  const { product, karmada, pods } = scene;
  console.log(
    `${pods} pods of 3 members; resident: ours ${memoryOf(product.pid).toFixed(0)} MiB, ` +
      `karmada-search ${memoryOf(karmada.pid).toFixed(0)} MiB`,
  );
  if (parts.includes('reads')) {
    for (const read of reads) for (const gzip of [false, true]) await compareReads(scene, read, gzip);
  }
  if (parts.includes('get')) for (const gzip of [false, true]) await compareGets(scene, gzip);
  if (parts.includes('watch')) say(await benchDeliveries(scene, Math.min(rounds, 3)));
  console.log(
    `at the end: ours ${memoryOf(product.pid).toFixed(0)} MiB, karmada-search ${memoryOf(karmada.pid).toFixed(0)} MiB`,
  );
}

const load = (): string => loadavg()[0]!.toFixed(1);
const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}; load ${load()}`);

async function compareReads({ client, members }: Scene, read: Read, gzip: boolean): Promise<void> {
  const { query, accept, aims } = read;
  const list = (servers: readonly string[], path: string) => {
    const ask: Ask = { servers, path: `${path}${query}`, gzip, ...(accept ? { accept } : {}) };
    return client.call('list', ask);
  };
  const taken = await inTurns<Side, Taken>(
    {
      ours: () => list(['product'], podsPath),
      karmada: () => list(['karmada-search'], podsPath),
      direct: () =>
        list(
          members.map(({ name }) => name),
          '/api/v1/pods',
        ),
    },
    rounds,
  );
  const millis = (side: Side) => taken[side].map((one) => one.millis);
  const against = (side: Exclude<Side, 'ours'>) => {
    const compared = ratios(millis('ours'), millis(side));
    return `${spread(compared, 2)}${verdict(quantile(compared, 0.5), aims[side])}`;
  };
  const size = (side: Side) => `${(taken[side][0]!.bytes / 1e6).toFixed(2)} MB`;
  say(
    `${read.name}${gzip ? ', gzip' : ''}: ours ${spread(millis('ours'), 1)} ms (${size('ours')}), ` +
      `karmada-search ${spread(millis('karmada'), 1)} ms (${size('karmada')}), ` +
      `three direct ones at once ${spread(millis('direct'), 1)} ms (${size('direct')}); ` +
      `ratio to karmada-search ${against('karmada')}, to direct ${against('direct')}`,
  );
}

const verdict = (ratio: number, aim: number | undefined): string =>
  aim === undefined ? '' : ` (aim ${aim}, ${ratio <= aim ? 'met' : 'missed'})`;

/** At a steady rate, of pods of all members. */
async function compareGets({ client, members, pods }: Scene, gzip: boolean): Promise<void> {
  const each = pods / members.length;
  const names = Array.from({ length: 999 }, (_, index) => {
    const { name } = members[index % members.length]!;
    return nameOf(name, Math.floor((index * each) / 999));
  });
  const base = `${proxied}/api/v1/namespaces/${namespace}/pods`;
  const paths = names.map((name) => `${base}/${name}?resourceVersion=0`);
  const get = async (server: string) => {
    const { millis, failed } = await client.call('rate', { servers: [server], paths, perSecond, seconds, gzip });
    if (millis.length === 0) throw new Error(`all ${failed} GETs of ${server} failed`);
    return { p50: quantile(millis, 0.5), p99: quantile(millis, 0.99), failed };
  };
  const taken = await inTurns(
    { ours: () => get('product'), karmada: () => get('karmada-search') },
    Math.min(rounds, 3),
  );
  const of = (side: 'ours' | 'karmada', what: 'p50' | 'p99') => taken[side].map((one) => one[what]);
  const failed = (side: 'ours' | 'karmada') => taken[side].reduce((sum, one) => sum + one.failed, 0);
  for (const what of ['p50', 'p99'] as const) {
    const compared = ratios(of('ours', what), of('karmada', what));
    say(
      `GET at ${perSecond}/s${gzip ? ', gzip' : ''}, ${what}: ours ${spread(of('ours', what), 2)} ms (${failed('ours')} failed), ` +
        `karmada-search ${spread(of('karmada', what), 2)} ms (${failed('karmada')} failed); ` +
        `ratio ${spread(compared, 2)}${verdict(quantile(compared, 0.5), 0.5)}`,
    );
  }
}
