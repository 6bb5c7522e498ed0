/** Applies to a manifest the override policies that match it and its cluster (FED-7). */

import { matcherOf, type SelectedCluster } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { AnyObject } from '../api/objects.ts';
import type { OverridePolicy, OverrideRule } from '../api/policies.ts';
import { type SchedulableCluster, selectedCluster } from '../schedule/candidates.ts';
import { type AppliedItem, appliedText } from './applied-text.ts';
import { Budget } from './budget.ts';
import { refuseKeptFields } from './kept-fields.ts';
import { matchingPolicies } from './matching-policies.ts';
import { OverrideError } from './override-error.ts';
import { overridden } from './overriders.ts';

export interface Overridden {
  manifest: AnyObject;
  /** The texts of the annotations `policy.karmada.io/applied-cluster-overrides` and `/applied-overrides`, where any applied. */
  appliedClusterOverrides?: string;
  appliedOverrides?: string;
}

/** Throws OverrideError. `policies` may be those of all namespaces. */
export function applyOverrides(
  manifest: AnyObject,
  cluster: SchedulableCluster,
  clusterPolicies: readonly OverridePolicy[],
  policies: readonly OverridePolicy[],
  budget = new Budget(),
): Overridden {
  const selected = selectedCluster(cluster);
  const first = applyPolicies(manifest, selected, clusterPolicies, budget);
  const { namespace } = manifest.metadata;
  const own = namespace ? policies.filter(({ metadata }) => metadata.namespace === namespace) : [];
  // They see what cluster policies have made of the manifest, its labels too.
  const second = applyPolicies(first.manifest, selected, own, budget);
  return {
    manifest: second.manifest,
    ...(first.items.length > 0 && { appliedClusterOverrides: appliedText(first.items) }),
    ...(second.items.length > 0 && { appliedOverrides: appliedText(second.items) }),
  };
}

function applyPolicies(
  manifest: AnyObject,
  cluster: SelectedCluster,
  policies: readonly OverridePolicy[],
  budget: Budget,
): { manifest: AnyObject; items: AppliedItem[] } {
  const items: AppliedItem[] = [];
  let result = manifest;
  for (const policy of matchingPolicies(policies, manifest)) {
    for (const { targetCluster, overriders } of rulesOf(policy)) {
      if (!matcherOf(targetCluster)(cluster)) continue;
      try {
        const changed = overridden(result, overriders, budget);
        refuseKeptFields(result, changed);
        result = changed;
      } catch (cause) {
        throw new OverrideError(policy, cluster.name, cause);
      }
      items.push({ policyName: policy.metadata.name, overriders });
    }
  }
  return { manifest: result, items };
}

/** A policy of Karmada's first form is one rule. */
function rulesOf({ spec: { overrideRules, targetCluster, overriders = {} } }: OverridePolicy): OverrideRule[] {
  if (overrideRules?.length) return overrideRules;
  return [{ ...(targetCluster && { targetCluster }), overriders }];
}
