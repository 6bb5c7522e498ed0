/** Why a policy is refused (FED-2): everything that schemas see, too, so that nothing depends on which of them looked first. */

import { isDeepStrictEqual } from 'node:util';
import type { OverridePolicy, PropagationPolicy, PropagationSpec, ResourceSelector } from '../api/policies.ts';
import { permanentIdLabels } from '../claim/claim-marks.ts';
import { defaultScheduler } from './defaults.ts';
import { type Fault, invalid } from './fault.ts';
import { overridesFaults } from './override-faults.ts';
import { placementFaults } from './placement-faults.ts';

/** Of a PropagationPolicy or, without a namespace, a ClusterPropagationPolicy. `old` is what an update replaces. */
export function policyFaults(policy: PropagationPolicy, old?: PropagationPolicy): Fault[] {
  return [...(isUntouched(policy, old) ? [] : specFaults(policy)), ...(old ? changeFaults(policy, old) : [])];
}

/** Of an OverridePolicy or a ClusterOverridePolicy. */
export function overridePolicyFaults(policy: OverridePolicy, old?: OverridePolicy): Fault[] {
  const { metadata, spec } = policy;
  if (isUntouched(policy, old)) return [];
  return [...namespaceFaults(spec.resourceSelectors ?? [], metadata.namespace), ...overridesFaults(spec)];
}

/** The metadata of a stored policy with a fault can still be changed: otherwise the policy could not be deleted. */
const isUntouched = ({ spec }: { spec: object }, old: { spec: object } | undefined): boolean =>
  old !== undefined && isDeepStrictEqual(spec, old.spec);

function specFaults({ metadata, spec }: PropagationPolicy): Fault[] {
  return [
    ...namespaceFaults(spec.resourceSelectors, metadata.namespace),
    ...preemptionFaults(spec),
    ...suspensionFaults(spec),
    ...failoverFaults(spec),
    ...placementFaults(spec.placement ?? {}, 'spec.placement'),
  ];
}

function namespaceFaults(selectors: readonly ResourceSelector[], own: string | undefined): Fault[] {
  return selectors.flatMap(({ namespace }, index) => {
    if (!own || !namespace || namespace === own) return [];
    return [invalid(`spec.resourceSelectors[${index}].namespace`, namespace, `must be the policy's, ${own}`)];
  });
}

/** A selector without a name would preempt every other policy. */
function preemptionFaults({ preemption, resourceSelectors }: PropagationSpec): Fault[] {
  const isNamed = preemption !== 'Always' || resourceSelectors.every(({ name }) => name);
  return isNamed ? [] : [invalid('spec', undefined, 'with preemption Always every resource selector needs a name')];
}

function suspensionFaults({ suspension }: PropagationSpec): Fault[] {
  const hasBoth = suspension?.dispatching && suspension.dispatchingOnClusters?.clusterNames?.length;
  return hasBoth
    ? [invalid('spec.suspension', undefined, 'dispatching and dispatchingOnClusters cannot both be set')]
    : [];
}

function failoverFaults({ failover, propagateDeps }: PropagationSpec): Fault[] {
  const { application } = (failover ?? {}) as { application?: unknown };
  return application && !propagateDeps ? [invalid('spec', undefined, 'failover.application needs propagateDeps')] : [];
}

/** The permanent id is set once, by the controller that first sees the policy (FED-15). */
function changeFaults(policy: PropagationPolicy, old: PropagationPolicy): Fault[] {
  const schedulerOf = ({ spec }: PropagationPolicy): string => spec.schedulerName || defaultScheduler;
  const isSame = schedulerOf(policy) === schedulerOf(old);
  const ids = Object.values(permanentIdLabels).flatMap((label) => {
    const before = old.metadata.labels?.[label];
    const now = policy.metadata.labels?.[label];
    return before && before !== now ? [invalid(`metadata.labels[${label}]`, now ?? '', 'field is immutable')] : [];
  });
  return [...(isSame ? [] : [invalid('spec.schedulerName', schedulerOf(policy), 'field is immutable')]), ...ids];
}
