/** Conditions of a Work, written only where they differ. */

import { isStatus } from '@fleet/client/kube-client.ts';
import type { Condition } from '../api/objects.ts';
import { objectPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import { withCondition } from '../binding/conditions.ts';
import type { Pipeline } from '../pipeline.ts';

/** Whether its status is another one than before. */
export async function writeCondition(
  { client, now }: Pipeline,
  known: Work,
  condition: Omit<Condition, 'lastTransitionTime'>,
): Promise<boolean> {
  const before = known.status?.conditions ?? [];
  if (withCondition(before, condition, now()) === before) return false;
  const path = objectPath(worksPath, known);
  try {
    // Read again: the status has other writers in this process, and the copy may be a moment old.
    const work = await client.get<Work>(path);
    const found = work.status?.conditions ?? [];
    const conditions = withCondition(found, condition, now());
    if (conditions === found) return false;
    const { resourceVersion } = work.metadata;
    await client.patch(`${path}/status`, 'merge', { metadata: { resourceVersion }, status: { conditions } });
    return found.find(({ type }) => type === condition.type)?.status !== condition.status;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}
