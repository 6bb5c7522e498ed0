/** Events to many watchers: how many reach them in a second, and what each takes of the server's CPU. */

import { until } from '@fleet/bed/until.ts';
import { startCrowd } from '@fleet/suites/watch-crowd.ts';
import { makeEvents, prepareEvents, watchedFromNow } from '@fleet/suites/watch-events.ts';
import type { Sides } from '../embedded.ts';
import { cpuTime } from '../memory.ts';
import { inTurns } from '../ratio.ts';
import type { Taken } from './requests.ts';
import type { Side } from './side.ts';
import type { Table } from './table.ts';

const sizes = (process.env['BENCH_WATCHERS'] ?? '100,1000').split(',').map(Number);
const perSecond = Number(process.env['BENCH_EVENTS'] ?? 100);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);

export async function benchWatchers({ ours, theirs }: Sides, table: Table, rounds: number): Promise<void> {
  for (const side of [ours, theirs]) await prepareEvents([{ name: 'one', api: side.api }]);
  for (const count of sizes) {
    const taken = await inTurns({ ours: () => measure(ours, count), theirs: () => measure(theirs, count) }, rounds);
    table.deliveries(`watch, ${count} watchers`, taken.ours, taken.theirs);
  }
}

export interface Delivered extends Taken {
  /** The share of all events that was delivered; a server ends watches that it finds too slow. */
  share: number;
}

/** After so long without any, no more are waited for. */
const longestPause = 5_000;

async function measure({ api, spec, credentials, pids }: Side, count: number): Promise<Delivered> {
  const made = [{ name: 'one', api }];
  // What the changes themselves take, without anybody who watches.
  const alone = await cpuTime(pids, () => makeEvents(made, perSecond, seconds));
  using crowd = startCrowd();
  const path = `${spec.base}${await watchedFromNow({ api })}`;
  const from = { server: spec.origin, ...credentials };
  await crowd.open({ name: 'all', from, path, protocol: 'HTTP/1.1', count });
  const begun = performance.now();
  const expected = perSecond * seconds * count;
  let [received, at] = [0, begun];
  const cpu = await cpuTime(pids, async () => {
    await makeEvents(made, perSecond, seconds);
    at = performance.now();
    await until('no more events are delivered', async () => {
      const now = await crowd.count('all');
      if (now > received) [received, at] = [now, performance.now()];
      return received === expected || performance.now() - at > longestPause;
    });
  });
  return { rate: (received * 1_000) / (at - begun), cpu: (cpu - alone) / received, share: received / expected };
}
