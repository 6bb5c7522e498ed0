/** Deletes finished Jobs after their ttlSecondsAfterFinished. */

import { conditionOf } from '../shared/conditions.ts';
import { listPath, pathOf } from '../shared/controller-ref.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { isFinished, type Job, jobs } from './job.ts';

/** Undefined if it does not expire. */
export function millisToLive({ metadata, spec, status }: Job, clock: ScaledTime): number | undefined {
  if (metadata.deletionTimestamp || spec.ttlSecondsAfterFinished === undefined) return undefined;
  const finished = ['Complete', 'Failed']
    .map((type) => conditionOf(status?.conditions, type))
    .find((condition) => condition?.status === 'True');
  if (!finished?.lastTransitionTime) return undefined;
  return Date.parse(finished.lastTransitionTime) + clock.millis(spec.ttlSecondsAfterFinished) - clock.now();
}

export function startExpiredJobs(parts: ControllerParts): AsyncDisposable {
  const known = parts.informers.of<Job>(listPath(jobs));
  const { client, clock, signal } = parts;
  const reconciler: Reconciler = new Reconciler({
    parts,
    component: 'ttl-after-finished-controller',
    reconcile: async (key) => {
      const job = known.get(key);
      const left = job && millisToLive(job, clock);
      if (!job || left === undefined) return;
      if (left > 0) {
        reconciler.addAfter(key, left);
        return;
      }
      const path = pathOf(jobs, job.metadata, job.metadata.name);
      // The TTL may have been extended since.
      const fresh = await client.get<Job>(path, signal);
      if ((millisToLive(fresh, clock) ?? 1) > 0) return;
      await client.delete(
        path,
        {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: 'Foreground',
          preconditions: { uid: fresh.metadata.uid },
        },
        signal,
      );
      reconciler.expectations.deleted(key, known, fresh);
    },
  });
  known.subscribe((key, now) => {
    if (now && isFinished(now) && now.spec.ttlSecondsAfterFinished !== undefined) reconciler.add(key);
  });
  return reconciler;
}
