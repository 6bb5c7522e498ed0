/** The disruption controller: keeps the status of PodDisruptionBudgets, which decides on evictions. */

import { isDeepStrictEqual } from 'node:util';
import { selectorMessage } from '@fleet/apiserver/kinds/printing/selectors.ts';
import { keyOf } from '@fleet/client/informer.ts';
import { byNamespace } from '@fleet/client/object-index.ts';
import type { Pod } from '../../pods/pod.ts';
import { deployments } from '../deployments/deployment.ts';
import { replicaSets, replicationControllers } from '../replica-sets/replica-set.ts';
import { listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { labelStates, pacedChanges, pacedFilter } from '../shared/paced.ts';
import { messageOf } from '../shared/pod-control.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { statefulSets } from '../stateful-sets/stateful-set.ts';
import { expectedScale, type ScaledKinds } from './controller-scale.ts';
import {
  coversPod,
  type DisruptionBudget,
  type DisruptionStatus,
  disruptedPods,
  disruptionBudgets,
  disruptionStatus,
  expectedPods,
  failedStatus,
  needsScale,
} from './disruption-budget.ts';

export function startDisruption(parts: ControllerParts): AsyncDisposable {
  const { client, clock, informers, signal } = parts;
  const budgets = informers.of<DisruptionBudget>(listPath(disruptionBudgets));
  const pods = informers.of<Pod>(listPath(podPaths));
  const kinds: ScaledKinds = {
    ReplicationController: informers.of(listPath(replicationControllers)),
    Deployment: informers.of(listPath(deployments)),
    ReplicaSet: informers.of(listPath(replicaSets)),
    StatefulSet: informers.of(listPath(statefulSets)),
  };

  const nextStatus = async (key: string, budget: DisruptionBudget): Promise<DisruptionStatus> => {
    const { apiVersion, kind } = disruptionBudgets;
    const about = { ...budget, apiVersion, kind };
    const { events } = reconciler;
    const near = pods.index('namespace', byNamespace).get(budget.metadata.namespace ?? '');
    const covered = await pacedFilter(near, (pod) => coversPod(budget, pod));
    if (covered.length === 0) events.event(about, 'Normal', 'NoPods', 'No matching pods found');
    let scale = 0;
    if (needsScale(budget)) {
      try {
        const found = expectedScale(covered, kinds);
        scale = found.scale;
        if (found.unmanaged.length > 0) events.event(about, 'Warning', 'UnmanagedPods', unmanagedMessage(budget));
      } catch (error) {
        const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
        events.event(about, 'Warning', 'CalculateExpectedPodCountFailed', message);
        return failedStatus(budget, messageOf(error), clock);
      }
    }
    const disrupted = disruptedPods(budget, covered, clock);
    for (const pod of disrupted.notDeleted) {
      const where = `${budget.metadata.namespace}/${budget.metadata.namespace}`;
      const message = `Pod was expected by PDB ${where} to be deleted but it wasn't`;
      events.event({ ...pod, apiVersion: 'v1', kind: 'Pod' }, 'Warning', 'NotDeleted', message);
    }
    if (disrupted.recheck !== undefined) reconciler.addAfter(key, disrupted.recheck);
    return disruptionStatus(budget, covered, expectedPods(budget, covered.length, scale), disrupted.pods, clock);
  };

  const reconcile = async (key: string): Promise<void> => {
    const budget = budgets.get(key);
    if (!budget) return;
    const status = await nextStatus(key, budget);
    if (isDeepStrictEqual(status, budget.status)) return;
    const { apiVersion, kind } = disruptionBudgets;
    const path = `${pathOf(disruptionBudgets, budget.metadata, budget.metadata.name)}/status`;
    const written = await client.replace<DisruptionBudget>(path, { ...budget, apiVersion, kind, status }, signal);
    reconciler.expectations.wrote(key, budgets, written);
  };

  const reconciler: Reconciler = new Reconciler({ parts, component: 'controllermanager', reconcile });
  budgets.subscribe((key) => reconciler.add(key));
  const namespaces = budgets.index('namespace', byNamespace);
  const changed = pacedChanges<Pod[], DisruptionBudget>({
    othersOf: ([pod]) => namespaces.get(pod?.metadata.namespace ?? ''),
    look(budget, states) {
      if (states.some((pod) => coversPod(budget, pod))) reconciler.add(keyOf(budget));
    },
    onError: parts.onError,
  });
  pods.subscribe((_, now, old) => changed(labelStates(now, old)));
  return reconciler;
}

const unmanagedMessage = ({ spec }: DisruptionBudget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${selectorMessage(spec.selector ?? {})}) were found ` +
  'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
