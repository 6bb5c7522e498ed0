/** Which override policies match a manifest, in the order in which they are applied: so that the more specific one wins. */

import type { AnyObject } from '../api/objects.ts';
import type { OverridePolicy } from '../api/policies.ts';
import { matchOf, specificity } from '../claim/match.ts';
import { byName } from '../schedule/by-name.ts';

export const matchingPolicies = (policies: readonly OverridePolicy[], manifest: AnyObject): OverridePolicy[] =>
  policies
    .map((policy) => ({ policy, name: policy.metadata.name, rank: rankOf(policy, manifest) }))
    .filter(({ rank }) => rank > 0)
    .sort((left, right) => left.rank - right.rank || byName(left, right))
    .map(({ policy }) => policy);

/** 0: it does not match. No selectors match everything. */
function rankOf({ metadata, spec: { resourceSelectors } }: OverridePolicy, manifest: AnyObject): number {
  if (!resourceSelectors?.length) return specificity.all;
  return matchOf({ metadata, spec: { resourceSelectors } }, manifest)?.specificity ?? 0;
}
