/** Which policy a template belongs to, given the claim that it has (FED-3, FED-15). */

import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { choosePolicy } from './choose.ts';
import type { Claim } from './claim-marks.ts';
import { isNeverTemplate } from './never-templates.ts';
import type { PolicySource } from './policy-index.ts';

export type Decision =
  /** It stays with the policy that has it. */
  | { is: 'keep'; policy: PropagationPolicy }
  /** It is taken, from another policy if it has a claim. */
  | { is: 'take'; policy: PropagationPolicy }
  /** It has a claim that no longer holds, and nobody else takes it. */
  | { is: 'release' }
  | { is: 'unclaimed' };

export function decide(template: AnyObject, policies: PolicySource, claim: Claim | undefined): Decision {
  const nobody: Decision = claim ? { is: 'release' } : { is: 'unclaimed' };
  if (isNeverTemplate(template) || isClaimedOtherwise(template)) return nobody;
  const matches = policies.matches(template);
  const matching = new Set(matches.map(({ policy }) => policy));
  const holders = claim ? policies.withId(claim) : [];
  const holder = nearest(
    holders.filter((policy) => matching.has(policy) && isStaying(policy)),
    claim,
  );
  if (holder) return { is: 'keep', policy: holder };
  const policy = choosePolicy(matches);
  return policy ? { is: 'take', policy } : nobody;
}

const isStaying = ({ metadata }: PropagationPolicy): boolean => metadata.deletionTimestamp === undefined;

/** Such as a Service that a MultiClusterService has: no policy takes it. */
const isClaimedOtherwise = ({ metadata }: AnyObject): boolean =>
  !!metadata.labels?.['resourcetemplate.karmada.io/claimed-by'];

/** Of policies with the same id, one is a copy: the one that the claim names is meant, or else the one with the lowest name. */
function nearest(policies: readonly PropagationPolicy[], claim: Claim | undefined): PropagationPolicy | undefined {
  const isNamed = ({ metadata: { name } }: PropagationPolicy): boolean => name === claim?.name;
  const sorted = policies.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return sorted.find(isNamed) ?? sorted[0];
}
