/**
 * Deletes finished Jobs of the embedded control plane after their ttlSecondsAfterFinished, as kube-controller-manager does in others: the
 * manifests that members get have none (FED-18, FED-19).
 */

import { type Clock, machineClock } from '@fleet/client/clock.ts';
import { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { objectPath } from '../api/paths.ts';
import type { PipelineLog } from '../pipeline.ts';

export interface Job extends KubeObject {
  spec?: { ttlSecondsAfterFinished?: number | null };
  status?: { conditions?: { type: string; status: string; lastTransitionTime?: string }[] };
}

const jobsPath = '/apis/batch/v1/jobs';

/** Undefined where it stays. */
export function millisToLive({ metadata, spec, status }: Job, now: number): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished;
  if (metadata.deletionTimestamp !== undefined || seconds === undefined || seconds === null) return undefined;
  const finished = status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const end = Date.parse(finished?.lastTransitionTime ?? '');
  return Number.isNaN(end) ? undefined : end + seconds * 1_000 - now;
}

export interface ExpiredJobsOptions {
  client: KubeClient;
  log: PipelineLog;
  clock?: Clock;
}

export function removeExpiredJobs({ client, log, clock = machineClock }: ExpiredJobsOptions): AsyncDisposable {
  const onError = (error: unknown) => log.warn({ err: error }, 'finished Jobs could not be removed yet');
  const queue = new WorkQueue<string>({
    onError,
    longestRetryMillis: 10 * 60_000,
    async work(key) {
      const known = jobs.get(key);
      const left = known && millisToLive(known, clock.now());
      if (!known || left === undefined) return true;
      if (left > 0) queue.addAfter(key, key, left);
      else await remove(client, objectPath(jobsPath, known), clock);
      return true;
    },
  });
  const jobs = new Informer<Job>({
    client,
    path: jobsPath,
    onError,
    onChange: (key, now) => {
      if (now && millisToLive(now, clock.now()) !== undefined) queue.add(key, key);
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await jobs[Symbol.asyncDispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

/** The time may have been prolonged since. */
async function remove(client: KubeClient, path: string, clock: Clock): Promise<void> {
  try {
    const fresh = await client.get<Job>(path);
    if ((millisToLive(fresh, clock.now()) ?? 1) > 0) return;
    const { uid, resourceVersion } = fresh.metadata;
    const preconditions = { uid, resourceVersion };
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions };
    await client.delete(path, options);
  } catch (error) {
    // A change of it is an event of its own.
    if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
  }
}
