/** Decides by its successPolicy whether a Job has succeeded. */

import { type IndexSet, parseIndexes } from './indexes.ts';
import type { JobSpec } from './job.ts';

/** The message of the condition; undefined while no rule is met. */
export function metSuccessRule({ successPolicy, completions = 0 }: JobSpec, succeeded: IndexSet): string | undefined {
  if (succeeded.size === 0) return undefined;
  const index = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.size >= succeededCount;
    const required = parseIndexes(succeededIndexes, completions);
    if (required.size === 0) return false;
    const met = required.common(succeeded);
    return met === required.size || (succeededCount !== undefined && met >= succeededCount);
  });
  return index === -1 ? undefined : `Matched rules at index ${index}`;
}
