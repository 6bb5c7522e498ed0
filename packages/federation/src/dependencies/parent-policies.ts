/** Combines the settings of one dependent's parents, and reports where they disagree (FED-11). */

import type { Binding } from '../api/bindings.ts';
import type { ConflictResolution } from '../api/policies.ts';

interface ParentPolicies {
  conflictResolution: ConflictResolution;
  preserveResourcesOnDeletion: boolean;
  /** One text for an event for each field in which they differ. */
  conflicts: string[];
}

/** Overwrite and preserve win: a parent that asks for them must not find its dependents left alone, or deleted. */
export function agreedPolicies(parents: readonly Binding[]): ParentPolicies {
  const overwriting = parents.filter(({ spec }) => spec.conflictResolution === 'Overwrite').length;
  const preserving = parents.filter(({ spec }) => spec.preserveResourcesOnDeletion === true).length;
  const disagree = (count: number): boolean => count > 0 && count < parents.length;
  return {
    conflictResolution: overwriting > 0 ? 'Overwrite' : 'Abort',
    preserveResourcesOnDeletion: preserving > 0,
    conflicts: [
      ...(disagree(overwriting) ? ['ConflictResolution conflicted (Overwrite vs Abort)'] : []),
      ...(disagree(preserving) ? ['PreserveResourcesOnDeletion conflicted (true vs false)'] : []),
    ],
  };
}
