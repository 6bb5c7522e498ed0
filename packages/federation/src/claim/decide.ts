/** Which policy a template belongs to, given the claim that it has (FED-3, FED-15). */

import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { choosePolicy } from './choose.ts';
import type { Claim } from './claim-marks.ts';
import { isNeverTemplate } from './never-templates.ts';
import type { PolicySource } from './policy-index.ts';

export type Decision =
  /** The policy that has claimed the template keeps it. */
  | { is: 'keep'; policy: PropagationPolicy }
  /** The policy claims the template, also from another policy. */
  | { is: 'take'; policy: PropagationPolicy }
  /** The claim is no longer valid, and no other policy matches. */
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

/** For example a Service of a MultiClusterService: no policy claims it. */
const isClaimedOtherwise = ({ metadata }: AnyObject): boolean =>
  !!metadata.labels?.['resourcetemplate.karmada.io/claimed-by'];

/** A copied policy has the same id. The claim belongs to the policy that it names, or else to the one with the lowest name. */
function nearest(policies: readonly PropagationPolicy[], claim: Claim | undefined): PropagationPolicy | undefined {
  const isNamed = ({ metadata: { name } }: PropagationPolicy): boolean => name === claim?.name;
  const sorted = policies.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return sorted.find(isNamed) ?? sorted[0];
}
