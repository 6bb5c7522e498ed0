/** Chooses one of the policies that match a template (FED-3). */

import type { PropagationPolicy } from '../api/policies.ts';
import type { PolicyMatch } from './match.ts';

/** The same one in whatever order they are given. One that is being deleted takes nothing. */
export function choosePolicy(matches: readonly PolicyMatch[]): PropagationPolicy | undefined {
  const [first, ...others] = matches.filter(({ policy }) => policy.metadata.deletionTimestamp === undefined);
  return first && others.reduce((best, one) => (goesBefore(one, best) ? one : best), first).policy;
}

/** Namespace before cluster, higher priority, more specific selector, lower name. */
function goesBefore(one: PolicyMatch, other: PolicyMatch): boolean {
  const order =
    Number(isNamespaced(other)) - Number(isNamespaced(one)) ||
    priorityOf(other) - priorityOf(one) ||
    other.specificity - one.specificity;
  return order < 0 || (order === 0 && one.policy.metadata.name < other.policy.metadata.name);
}

const isNamespaced = ({ policy }: PolicyMatch): boolean => !!policy.metadata.namespace;
const priorityOf = ({ policy }: PolicyMatch): number => policy.spec.priority ?? 0;
