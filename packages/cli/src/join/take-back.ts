/** Removes permissions that an earlier join granted. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import { isManaged } from '../labels.ts';
import { get } from './ensure.ts';
import { askForPermissions } from './inspect.ts';
import { type Desired, pathOf, title } from './manifest.ts';
import { remove } from './remove.ts';

/** Removes what an earlier join granted and this one does not. Objects of others stay, and are named. */
export async function takeBack(
  member: KubeClient,
  granted: readonly Desired[],
  signal: AbortSignal,
): Promise<string | undefined> {
  let removed = 0;
  const foreign: string[] = [];
  for (const desired of granted) {
    const found = await get(member, pathOf(desired), signal).catch(askForPermissions);
    if (!found) continue;
    if (!isManaged(found)) {
      foreign.push(`${title(desired)} was not made by fleet join, and stays`);
      continue;
    }
    await remove(member, pathOf(desired), { uid: found.metadata.uid, signal }).catch(askForPermissions);
    removed++;
  }
  return [...(removed > 0 ? [`${removed} removed`] : []), ...foreign].join(', ') || undefined;
}
