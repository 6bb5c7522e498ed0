/** Removes the finalizer from pods of deleted or finished Jobs, as they are no longer counted. */

import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { byController } from '@fleet/client/object-index.ts';
import type { Pod } from '../../pods/pod.ts';
import { controllerOf, listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { isFinished, isManagedExternally, isTracked, type Job, jobs } from './job.ts';
import { finalizerRemoval } from './job-controller.ts';

export function startReleasedPods(parts: ControllerParts): AsyncDisposable {
  const known = parts.informers.of<Job>(listPath(jobs));
  const pods = parts.informers.of<Pod>(listPath(podPaths));
  const isOrphaned = (pod: Pod): boolean => {
    if (!isTracked(pod)) return false;
    const ref = controllerOf(pod);
    if (!ref) return true;
    if (ref.kind !== jobs.kind || ref.apiVersion !== jobs.apiVersion) return false;
    const job = known.get(`${pod.metadata.namespace}/${ref.name}`);
    if (job?.metadata.uid !== ref.uid) return true;
    return !isManagedExternally(job!) && isFinished(job!);
  };
  const reconciler = new Reconciler({
    parts,
    component: 'job-controller',
    reconcile: async (key) => {
      const pod = pods.get(key);
      if (!pod || !isOrphaned(pod)) return;
      try {
        const path = pathOf(podPaths, pod.metadata, pod.metadata.name);
        await parts.client.patch<Pod>(path, 'strategic', finalizerRemoval, parts.signal);
      } catch (error) {
        if (!isStatus(error, 404)) throw error;
      }
    },
  });
  // Whether the Job exists is known only once all informers are synced, which the reconciler waits for.
  pods.subscribe((key, now) => {
    if (now && isTracked(now)) reconciler.add(key);
  });
  known.subscribe((_, now, old) => {
    if (!now && old)
      for (const pod of pods.index('controller', byController).get(old.metadata.uid!)) reconciler.add(keyOf(pod));
  });
  return reconciler;
}
