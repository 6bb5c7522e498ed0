/** What is answered while a member is unreachable: its last known objects, with a warning that names it (CACHE-12). */

import { until } from '@fleet/bed/until.ts';
import { differences, type Held } from './held.ts';
import { everywhere, type Kind, kinds } from './kinds.ts';
import type { Observers } from './observers.ts';

/** What a member had when it was last heard, by kind. */
export type Last = ReadonlyMap<Kind, readonly Held[]>;

export async function lastOf(observers: Observers, cluster: string): Promise<Last> {
  const only = new Set([cluster]);
  const lists = kinds.map(async (kind) => [kind, await observers.there(everywhere(kind), only)] as const);
  return new Map(await Promise.all(lists));
}

/** What is wrong with the answers, one message each. */
export async function staleFaults(observers: Observers, cluster: string, last: Last): Promise<string[]> {
  const faults: string[] = [];
  for (const [kind, there] of last) {
    for (const query of ['', '?resourceVersion=0']) {
      const { code, warnings, held } = await observers.listedOf(cluster, kind, query);
      const name = `${kind.plural}${query}`;
      if (code !== 200) faults.push(`${name}: ${code}`);
      if (!new RegExp(`299 .*${cluster}.* cannot be reached: its objects are those of `).test(warnings))
        faults.push(`${name}: no warning, but "${warnings}"`);
      faults.push(...differences(held, there).map((what) => `${name}: ${what}`));
    }
    const { code } = await observers.listedOf(cluster, kind, '?fresh=true');
    if (code !== 503) faults.push(`${kind.plural}?fresh=true: ${code}`);
  }
  return faults;
}

/** The same, until it is so: that a member is unreachable has to be found first. */
export async function isStale(observers: Observers, cluster: string, last: Last, timeout = 30_000): Promise<void> {
  let left: string[] = [];
  const isSo = async () => {
    left = await staleFaults(observers, cluster, last);
    return left.length === 0;
  };
  await until(`${cluster} is stale`, isSo, { timeout, every: 200 }).catch((cause: unknown) => {
    throw new Error(`${cluster} is not answered as stale:\n${left.slice(0, 20).join('\n')}`, { cause });
  });
}
