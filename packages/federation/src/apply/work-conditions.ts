/** Conditions of a Work, written only where they differ. */

import { isStatus } from '@fleet/client/kube-client.ts';
import type { Condition } from '../api/objects.ts';
import { objectPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import { type NewCondition, withCondition } from '../binding/conditions.ts';
import type { Pipeline } from '../pipeline.ts';

/** Types of those whose status is another one than before. */
export async function writeConditions(
  { client, now, pace }: Pipeline,
  known: Work,
  conditions: readonly NewCondition[],
): Promise<readonly string[]> {
  const before = known.status?.conditions ?? [];
  if (withConditions(before, conditions, now()) === before) return [];
  const path = objectPath(worksPath, known);
  try {
    // Answers of many members come together, and the embedded control plane works in the same turn (LIMIT-3).
    if (pace.isDue) await pace.rest();
    // Read again: the status has other writers in this process, and the copy may be a moment old.
    const work = await client.get<Work>(path);
    const found = work.status?.conditions ?? [];
    const written = withConditions(found, conditions, now());
    if (written === found) return [];
    const { resourceVersion } = work.metadata;
    await client.patch(`${path}/status`, 'merge', { metadata: { resourceVersion }, status: { conditions: written } });
    const isChanged = (one: NewCondition) => found.find(({ type }) => type === one.type)?.status !== one.status;
    return conditions.filter(isChanged).map(({ type }) => type);
  } catch (error) {
    if (isStatus(error, 404)) return [];
    throw error;
  }
}

/** The same list if it has all of them. */
const withConditions = (known: Condition[], conditions: readonly NewCondition[], now: string): Condition[] =>
  conditions.reduce((list, condition) => withCondition(list, condition, now), known);
