/**
 * The embedded control plane against kube-apiserver with etcd: both with TLS and HTTP/1.1, both syncing what they acknowledge,
 * both on the same disk, asked by the same client in turns.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { fleetServe } from './embedded/fleet-serve.ts';
import { benchKarmada } from './embedded/karmada.ts';
import { kubeApiserver } from './embedded/kube-apiserver.ts';
import { benchRequests, fill } from './embedded/requests.ts';
import type { Side } from './embedded/side.ts';
import { Table } from './embedded/table.ts';
import { benchWatchers } from './embedded/watchers.ts';
import { startLoadGenerator } from './load.ts';
import { inTurns } from './ratio.ts';

const starts = Number(process.env['BENCH_STARTS'] ?? 5);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Which parts: `start`, `requests`, `karmada`, `watch`. */
const parts = (process.env['BENCH_PARTS'] ?? 'start,requests,karmada,watch').split(',');

/** Long enough for what a start leaves to be given back; threads end ten seconds after their work. */
const settleMillis = 20_000;

export interface Sides {
  ours: Side;
  theirs: Side;
}

export async function benchEmbedded(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const sides = { ours: stack.use(await fleetServe()), theirs: stack.use(await kubeApiserver()) };
  const load = stack.use(startLoadGenerator());
  const table = new Table();
  await benchFirstStart(sides, table);
  if (parts.includes('start')) await benchStarts(sides, table);
  if (parts.includes('requests')) {
    await fill(sides, load);
    await benchRequests(sides, load, table, rounds);
  }
  if (parts.includes('karmada')) await benchKarmada(sides, load, table, rounds);
  if (parts.includes('watch')) await benchWatchers(sides, table, rounds);
  if (parts.length > 1) table.memory('after the load', sides.ours.memory, sides.theirs.memory);
  table.print();
}

async function benchFirstStart({ ours, theirs }: Sides, table: Table): Promise<void> {
  const [first, alternative] = [await ours.start(), await theirs.start()];
  table.start('first', [first], [alternative]);
  await pause(settleMillis);
  table.memory('after the first start', ours.memory, theirs.memory);
}

/** Of one that has been started before; the other one stands still meanwhile. */
async function benchStarts({ ours, theirs }: Sides, table: Table): Promise<void> {
  await ours.stop();
  await theirs.stop();
  const once = (side: Side) => async () => {
    const millis = await side.start();
    await pause(settleMillis);
    const { memory } = side;
    await side.stop();
    return { millis, memory };
  };
  const taken = await inTurns({ ours: once(ours), theirs: once(theirs) }, starts);
  const millis = (side: readonly { millis: number }[]) => side.map((one) => one.millis);
  table.start('later', millis(taken.ours), millis(taken.theirs));
  table.memory('idle', taken.ours.at(-1)!.memory, taken.theirs.at(-1)!.memory);
  await ours.start();
  await theirs.start();
}
