/** Serves `pods/{name}/eviction`: deletes a pod if its PodDisruptionBudget allows it (`registry/core/pod/storage/eviction.go`). */

import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { type AnsweredResource, answeredReader, passingKind } from '../http/answered-resource.ts';
import { type DeleteBody, readDeleteOptions } from '../http/read-options.ts';
import type { Call } from '../http/verb.ts';
import { readWriteOptions } from '../http/write-options.ts';
import { type PodStatus, withCondition } from '../kinds/pods/pod-conditions.ts';
import type { DeleteOptions } from '../registry/delete.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { decodeObject } from '../registry/stored-object.ts';
import { success } from './binding.ts';
import { type Budget, budgetsOf, takeDisruption, tooMany } from './disruption-budgets.ts';

const kind = passingKind({ group: 'policy', version: 'v1', kind: 'Eviction', namespaced: true });

const statusOf = (pod: KubeObject): PodStatus => (pod['status'] ?? {}) as PodStatus;

/** The eviction of a pod that does not run disrupts nothing. */
const isUnguarded = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed', 'Pending'].includes(statusOf(pod).phase ?? '') ||
  pod.metadata.deletionTimestamp !== undefined;

const isReady = (pod: KubeObject): boolean =>
  (statusOf(pod).conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

/** `budgets` is the registry of PodDisruptionBudgets, if the server has one. */
export function evictions(pods: ObjectRegistry, budgets: ObjectRegistry | undefined): AnsweredResource {
  const evict = async (eviction: KubeObject, { ask, query }: Call): Promise<object> => {
    const { name } = eviction.metadata;
    if (ask.name !== name) throw badRequest('name in URL does not match name in Eviction object');
    const { dryRun } = readWriteOptions(query, 'CreateOptions');
    const asked = readDeleteOptions((eviction['deleteOptions'] ?? {}) as DeleteBody, new URLSearchParams());
    const options: DeleteOptions = { ...asked, namespace: ask.namespace, dryRun: asked.dryRun || dryRun };
    const pod = decodeObject(await pods.get(name!, { namespace: ask.namespace }));
    if (isUnguarded(pod)) {
      await remove(pods, name!, isTerminal(pod) ? options : pinned(options, pod));
      return success;
    }
    const guarding = budgets ? await budgetsOf(budgets, pod) : [];
    if (guarding.length > 1) return severalBudgets;
    const [budget] = guarding;
    const isPinned = budget !== undefined && !isReady(pod) && allowsUnready(budget);
    if (budget && !isPinned) await takeDisruption(budgets!, budget, pod.metadata.name!, options.dryRun ?? false);
    try {
      await remove(pods, name!, isPinned ? pinned(options, pod) : options);
    } catch (error) {
      const isConflict = error instanceof StatusError && error.code === 409;
      if (isConflict && isPinned && options.preconditions?.resourceVersion === undefined)
        throw tooMany(`The disruption budget ${budget.metadata.name} is still being processed by the server.`, 10);
      throw error;
    }
    return success;
  };
  return {
    at: { group: '', version: 'v1', resource: 'pods', subresource: 'eviction' },
    kind,
    read: answeredReader(kind, { subresource: 'eviction' }),
    answer: evict,
  };
}

const severalBudgets = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  code: 500,
};

const isTerminal = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(statusOf(pod).phase ?? '') || pod.metadata.deletionTimestamp !== undefined;

/** Only in the checked state, as it may have become ready. */
const pinned = (options: DeleteOptions, { metadata }: KubeObject): DeleteOptions => ({
  ...options,
  preconditions: { resourceVersion: metadata.resourceVersion!, ...options.preconditions },
});

function allowsUnready({ spec, status }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** Adds the condition with the reason before the deletion. */
async function remove(pods: ObjectRegistry, name: string, options: DeleteOptions): Promise<void> {
  let deletion = options;
  if (!options.dryRun) {
    const { uid, resourceVersion } = options.preconditions ?? {};
    const { object } = await pods
      .update(name, { namespace: options.namespace, subresource: 'status' }, (pod) => {
        if (
          (uid && uid !== pod!.metadata.uid) ||
          (resourceVersion && resourceVersion !== pod!.metadata.resourceVersion)
        )
          throw new Changed();
        return { ...pod!, status: withCondition(statusOf(pod!), evicted, Date.now()) };
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof Changed)) throw error;
        // A dry run gives the errors of the deletion.
        return { object: (await pods.delete(name, { ...options, dryRun: true })).object };
      });
    if (resourceVersion)
      deletion = {
        ...options,
        preconditions: { ...options.preconditions, resourceVersion: object.metadata.resourceVersion! },
      };
  }
  await pods.delete(name, deletion);
}

class Changed extends Error {}

const evicted = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};
