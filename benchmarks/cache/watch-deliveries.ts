/** Watchers of a cached kind, each of another user, against as many at one kube-apiserver: what a delivery takes of the CPU. */

import { readdirSync, readFileSync } from 'node:fs';
import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { startCrowd } from '@fleet/suites/watch-crowd.ts';
import { makeEvents, prepareEvents, watchedFromNow } from '@fleet/suites/watch-events.ts';
import { cpuTime } from '../memory.ts';
import { inTurns, ratios, spread } from '../ratio.ts';
import type { Scene } from './scene.ts';

/** What the watchers' users are members of, and the beginning of their names. */
export const usersGroup = 'bench-users';

const watchers = Number(process.env['BENCH_WATCHERS'] ?? 1_000);
const perSecond = Number(process.env['BENCH_EVENTS'] ?? 100);
const seconds = 8;

export async function benchDeliveries({ product, members }: Scene, rounds: number): Promise<string> {
  await prepareEvents(members);
  const member = members[0]!;
  const taken = await inTurns(
    {
      ours: () => measure(product, product.pid, members),
      kubeApiserver: () => measure(member, pidOf(member), [member]),
    },
    rounds,
  );
  const { ours, kubeApiserver } = taken;
  const ratio = ratios(ours, kubeApiserver);
  return (
    `${watchers} watchers of different users on a cached kind, ${perSecond} events/s: ` +
    `ours ${spread(ours, 1)} us of CPU a delivery, kube-apiserver ${spread(kubeApiserver, 1)} us, ratio ${spread(ratio, 2)}; aim 1`
  );
}

/** Microseconds of CPU a delivery, less what the changes take without watchers. */
async function measure(from: Product | Member, pid: number, members: readonly Member[]): Promise<number> {
  const alone = await cpuTime(pid, () => makeEvents(members, perSecond, seconds));
  using crowd = startCrowd();
  const { server, ca, admin } = from;
  const path = await watchedFromNow(from);
  const watched = {
    name: 'all',
    from: { server, ca, admin },
    path,
    protocol: 'HTTP/1.1',
    usersOf: usersGroup,
    // kube-apiserver ends watchers that it had no CPU for; the product must not.
    ...('directServer' in from ? { resumed: true } : {}),
  } as const;
  await crowd.open({ ...watched, count: watchers });
  const cpu = await cpuTime(pid, async () => {
    const { counts } = await makeEvents(members, perSecond, seconds);
    const events = Object.values(counts).reduce((sum, one) => sum + one, 0);
    await until('all events are delivered', async () => (await crowd.count('all')) === events * watchers, {
      timeout: 120_000,
    });
  });
  return ((cpu - alone) * 1_000) / (await crowd.count('all'));
}

/** Of a member's API server, known by its port. */
function pidOf({ directServer }: Member): number {
  const port = `--secure-port=${new URL(directServer).port}`;
  const found = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && argumentsOf(entry).includes(port));
  if (!found) throw new Error(`no process with ${port}`);
  return Number(found);
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
  } catch {
    // Ended meanwhile.
    return [];
  }
}
