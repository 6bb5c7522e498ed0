/** Formats the names of federation's objects for output. */

import type { PropagationPolicy } from '@fleet/federation/api/policies.ts';

interface Named {
  kind: string;
  metadata: { namespace?: string; name: string };
}

/** `Deployment shop/web`. */
export const objectText = ({ kind, metadata }: Named): string => `${kind} ${placeText(metadata)}`;

export const placeText = ({ namespace, name }: { namespace?: string | undefined; name: string }): string =>
  namespace ? `${namespace}/${name}` : name;

/** Items of lists have no kind. */
export const policyKind = ({ metadata }: Pick<PropagationPolicy, 'metadata'>): string =>
  metadata.namespace ? 'PropagationPolicy' : 'ClusterPropagationPolicy';

export const policyText = (policy: Pick<PropagationPolicy, 'metadata'>): string =>
  objectText({ kind: policyKind(policy), metadata: policy.metadata });

/** `1 replica`, `3 replicas`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A reason of the scheduler, which counts clusters, for one of them. */
export const reasonText = (reason: string): string => reason.replace(/^cluster\(s\) /, '').replace(/^cluster /, '');
