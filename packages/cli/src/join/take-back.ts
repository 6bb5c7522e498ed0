import type { KubeClient } from '@fleet/client/kube-client.ts';
import { isManaged } from '../labels.ts';
import { get } from './ensure.ts';
import { askForRights } from './inspect.ts';
import { pathOf, title, type Wanted } from './manifest.ts';
import { remove } from './remove.ts';

/** Removes what an earlier join granted and this one does not. Objects of others stay, and are named. */
export async function takeBack(
  member: KubeClient,
  granted: readonly Wanted[],
  signal: AbortSignal,
): Promise<string | undefined> {
  let removed = 0;
  const foreign: string[] = [];
  for (const wanted of granted) {
    const found = await get(member, pathOf(wanted), signal).catch(askForRights);
    if (!found) continue;
    if (!isManaged(found)) {
      foreign.push(`${title(wanted)} was not made by fleet join, and stays`);
      continue;
    }
    await remove(member, pathOf(wanted), { uid: found.metadata.uid, signal }).catch(askForRights);
    removed++;
  }
  return [...(removed > 0 ? [`${removed} removed`] : []), ...foreign].join(', ') || undefined;
}
