/** The history of a member is lost again and again while it changes: each time all that is cached of it is listed anew. */

import { forgetHistory } from '@fleet/bed/etcd.ts';
import type { Member } from '@fleet/bed/member.ts';
import type { FaultyFleet } from './faulty-fleet.ts';
import { kinds } from './kinds.ts';
import { type Begun, countStreams } from './member-streams.ts';
import type { Observers } from './observers.ts';

/** Cut off, written to, and without what it remembers of that: the watches of the cache cannot resume. */
export async function loseHistoryOf({ writers }: FaultyFleet, member: Member): Promise<void> {
  await member.faults.proxy.reset();
  await writers.get(member.name)!.burst();
  await forgetHistory(member.dir);
  await member.faults.proxy.heal();
}

const listsOf = ({ lists }: Begun): number => kinds.reduce((sum, { plural }) => sum + (lists[plural] ?? 0), 0);

/**
 * Returns how many lists of all kinds the member was asked for. After each round watchers hold what it has, which they cannot
 * know but by a list.
 */
export async function relist(
  fleet: FaultyFleet,
  member: Member,
  rounds: number,
  observers: Observers,
): Promise<number> {
  const only = new Set([member.name]);
  const begun = await countStreams(member);
  for (let round = 1; round <= rounds; round++) {
    await loseHistoryOf(fleet, member);
    await observers.settled(`relist ${round} of ${member.name}`, 60_000, only);
    // An event over the new watch: after failures alone the reflector would wait longer each time.
    await fleet.writers.get(member.name)!.touch();
    await observers.settled(`the events behind relist ${round} of ${member.name}`, 60_000, only);
  }
  return listsOf(await begun());
}
