/** The Job controller: runs pods of Jobs to completion. */

import { selectsByObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { Informer } from '@fleet/client/informer.ts';
import { isNamespaceTerminating, isStatus } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { candidates, claim, listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { followOwned } from '../shared/owned-objects.ts';
import { PodControl } from '../shared/pod-control.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import type { Backoff } from './backoff.ts';
import { isFinished, isManagedExternally, isTracked, type Job, jobs, trackingFinalizer } from './job.ts';
import { type JobClient, JobSync } from './job-sync.ts';

export function startJobs(parts: ControllerParts): AsyncDisposable {
  const known = parts.informers.of<Job>(listPath(jobs));
  const pods = parts.informers.of<Pod>(listPath(podPaths));
  const controller = new JobController(parts, known, pods);
  known.subscribe((key) => controller.reconciler.add(key));
  followOwned({
    owned: pods,
    owners: known,
    kind: jobs.kind,
    selects: ({ spec }, { metadata }) =>
      spec.selector !== undefined && selectsByObject(spec.selector, metadata.labels ?? {}),
    add: (key) => controller.reconciler.add(key),
    onError: parts.onError,
  });
  return controller.reconciler;
}

export const finalizerRemoval = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };

class JobController {
  readonly reconciler: Reconciler;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #control: PodControl;
  readonly #backoffs = new Map<string, Backoff>();

  constructor(parts: ControllerParts, known: Informer<Job>, pods: Informer<Pod>) {
    const component = 'job-controller';
    this.reconciler = new Reconciler({ parts, component, reconcile: (key) => this.#reconcile(key) });
    this.#jobs = known;
    this.#pods = pods;
    this.#control = new PodControl(this.reconciler, pods);
  }

  async #reconcile(key: string): Promise<void> {
    const { clock } = this.reconciler.parts;
    const job = this.#jobs.get(key);
    if (!job || isFinished(job)) {
      this.#backoffs.delete(key);
      return;
    }
    if (isManagedExternally(job)) return;
    const pods = await this.#podsOf(key, job);
    const client = this.#clientOf(key, job);
    const { next, backoff, failure } = await new JobSync(job, pods, this.#backoffs.get(key), client, clock).run();
    if (backoff) this.#backoffs.set(key, backoff);
    else this.#backoffs.delete(key);
    if (failure !== undefined) throw failure;
    if (next !== undefined) this.reconciler.addAfter(key, next);
  }

  #podsOf(key: string, job: Job): Promise<Pod[]> {
    const { client, signal } = this.reconciler.parts;
    const { namespace } = job.metadata;
    const matches = ({ metadata }: Pod): boolean =>
      metadata.namespace === namespace && selectsByObject(job.spec.selector ?? {}, metadata.labels ?? {});
    return claim(candidates(this.#pods, job), {
      client,
      signal,
      kind: jobs,
      owner: job,
      paths: podPaths,
      matches: (object) => matches(object as Pod),
      finalizers: [trackingFinalizer],
      onWrite: (object) => this.reconciler.expectations.wrote(key, this.#pods, object),
    });
  }

  #clientOf(key: string, job: Job): JobClient {
    const { parts, expectations, events } = this.reconciler;
    const { client, signal } = parts;
    const { apiVersion, kind } = jobs;
    const about = { ...job, apiVersion, kind };
    const path = `${pathOf(jobs, job.metadata, job.metadata.name)}/status`;
    return {
      createPod: async (pod) => {
        await this.#control.create(key, about, pod);
      },
      deletePod: async (pod) => {
        await this.#control.delete(key, about, pod);
      },
      removeFinalizer: async (pod) => {
        if (!isTracked(pod)) return;
        try {
          const podPath = pathOf(podPaths, pod.metadata, pod.metadata.name);
          expectations.wrote(key, this.#pods, await client.patch<Pod>(podPath, 'strategic', finalizerRemoval, signal));
        } catch (error) {
          if (!isStatus(error, 404)) throw error;
        }
      },
      updateStatus: async (next) => {
        const written = await client.replace<Job>(path, { ...next, apiVersion, kind }, signal);
        expectations.wrote(key, this.#jobs, written);
        return written;
      },
      event: (type, reason, message) => events.event(about, type, reason, message),
      isIgnored: isNamespaceTerminating,
    };
  }
}
