/** Gives each policy a permanent id and a finalizer, which a deleted policy keeps until all claims are released (FED-9, FED-15). */

import { isStatus } from '@fleet/client/kube-client.ts';
import { clusterPropagationPoliciesPath, objectPath, propagationPoliciesPath } from '../api/paths.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { type Pipeline, reconciling } from '../pipeline.ts';
import { permanentIdLabels } from './claim-marks.ts';

/** Finalizers are Karmada's. */
export const policyKinds = [
  {
    path: propagationPoliciesPath,
    finalizer: 'karmada.io/propagation-policy-controller',
    label: permanentIdLabels.namespaced,
  },
  {
    path: clusterPropagationPoliciesPath,
    finalizer: 'karmada.io/cluster-propagation-policy-controller',
    label: permanentIdLabels.cluster,
  },
] as const;

/** While something is claimed yet; the templates release it by themselves. */
const lookAgain = 500;

export function keepPolicies(pipeline: Pipeline, holds: (policy: PropagationPolicy) => boolean): AsyncDisposable {
  const { client, informers } = pipeline;
  const kept = policyKinds.map(({ path, finalizer, label }) => {
    const policies = informers.of<PropagationPolicy>(path);
    const queue = reconciling(pipeline, 'policies', async (key) => {
      const policy = policies.get(key);
      if (!policy) return;
      const { finalizers = [], labels, resourceVersion, deletionTimestamp } = policy.metadata;
      const id = labels?.[label];
      const isKept = finalizers.includes(finalizer);
      if (deletionTimestamp !== undefined) {
        if (!isKept) return;
        if (holds(policy)) {
          queue.addAfter(key, key, lookAgain);
          return;
        }
        const metadata = { resourceVersion, finalizers: finalizers.filter((one) => one !== finalizer) };
        await client.patch(objectPath(path, policy), 'merge', { metadata }).catch(ignoreGone);
        return;
      }
      if (id !== undefined && isKept) return;
      const metadata = {
        resourceVersion,
        labels: { [label]: id ?? crypto.randomUUID() },
        finalizers: isKept ? finalizers : [...finalizers, finalizer],
      };
      await client.patch(objectPath(path, policy), 'merge', { metadata }).catch(ignoreGone);
    });
    const watch = policies.subscribe((key, now) => now && queue.add(key, key));
    return { queue, watch };
  });
  return {
    async [Symbol.asyncDispose]() {
      for (const { watch } of kept) watch[Symbol.dispose]();
      await Promise.all(kept.map(({ queue }) => queue[Symbol.asyncDispose]()));
    },
  };
}

function ignoreGone(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}
