/** Applies each Work to its member: creates the object, corrects drift, and deletes it with the Work (FED-8, FED-9, FED-20). */

import type { EventSubject } from '@fleet/client/event-recorder.ts';
import { keyOf } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { WorkQueue } from '@fleet/client/work-queue.ts';
import type { AnyObject } from '../api/objects.ts';
import { objectPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import type { NewCondition } from '../binding/conditions.ts';
import { isDeleted, isLeaving } from '../members/leaving.ts';
import { type Cluster, clustersOf, type Pipeline, reconciling, worksOf } from '../pipeline.ts';
import { clusterOfSpace } from '../work/work-name.ts';
import { executionFinalizer } from '../work/work-of.ts';
import { AppliedVersions } from './applied-versions.ts';
import { applyManifest } from './apply-manifest.ts';
import { removeManifest } from './remove-manifest.ts';
import { writeConditions } from './work-conditions.ts';

/** How many objects of one member are written at once: a member that hangs holds up no other. */
const writesAtOnce = 4;

export class ApplyController implements AsyncDisposable {
  readonly #pipeline: Pipeline;
  readonly #applied = new AppliedVersions();
  readonly #queues = new Map<string, WorkQueue<string>>();
  readonly #watches: Disposable[];
  #closed = false;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
    this.#watches = [
      worksOf(pipeline).subscribe((key, now) => now && this.#add(key, now)),
      // The webhooks may now retain other fields, so every Work is applied again.
      pipeline.onHooks(() => {
        this.#applied.clear();
        for (const work of worksOf(pipeline).values()) this.#add(keyOf(work), work);
      }),
      clustersOf(pipeline).subscribe((name, now, old) => {
        if (!now) void this.#drop(name);
        else if (changesWrites(now, old)) this.#addAll(name);
      }),
    ];
  }

  /** Something happened to an object in a member: it is compared again. */
  compare(work: Work): void {
    this.#add(keyOf(work), work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const watch of this.#watches) watch[Symbol.dispose]();
    await Promise.all([...this.#queues.keys()].map((cluster) => this.#drop(cluster)));
  }

  #add(key: string, { metadata }: Work): void {
    const cluster = clusterOfSpace(metadata.namespace ?? '');
    // Members are still watched while it ends.
    if (cluster === undefined || this.#closed) return;
    let queue = this.#queues.get(cluster);
    if (!queue) {
      queue = reconciling(
        this.#pipeline,
        `apply to ${cluster}`,
        (work) => this.#reconcile(cluster, work),
        writesAtOnce,
      );
      this.#queues.set(cluster, queue);
    }
    queue.add(key, key);
  }

  #addAll(cluster: string): void {
    for (const work of worksOf(this.#pipeline).values()) {
      if (clusterOfSpace(work.metadata.namespace ?? '') === cluster) this.#add(keyOf(work), work);
    }
  }

  async #drop(cluster: string): Promise<void> {
    const queue = this.#queues.get(cluster);
    this.#queues.delete(cluster);
    await queue?.[Symbol.asyncDispose]();
  }

  async #reconcile(cluster: string, key: string): Promise<void> {
    const work = worksOf(this.#pipeline).get(key);
    if (!work) return;
    if (work.metadata.deletionTimestamp !== undefined) await this.#remove(cluster, work);
    else if (!this.#isLeft(cluster)) await this.#apply(cluster, work);
  }

  /** In one write, with whether it is dispatched at all. */
  async #report(work: Work, ...conditions: NewCondition[]): Promise<void> {
    const dispatching = dispatchingOf(work);
    const changed = await writeConditions(this.#pipeline, work, [dispatching, ...conditions]);
    if (!changed.includes(dispatching.type)) return;
    this.#pipeline.record(subjectOf(work), 'Normal', 'WorkDispatching', dispatching.message);
  }

  async #apply(cluster: string, work: Work): Promise<void> {
    const { record } = this.#pipeline;
    const [manifest] = work.spec.workload?.manifests ?? [];
    const member = this.#connected(cluster);
    if (work.spec.suspendDispatching || !manifest || !member) {
      await this.#report(work);
      if (work.spec.suspendDispatching || !manifest) return;
      throw notReady(cluster);
    }
    try {
      const changed = await applyManifest({ ...this.#pipeline, applied: this.#applied, cluster, member }, manifest);
      if (changed) {
        const about = `${manifest.metadata.namespace ?? ''}/${manifest.metadata.name}`;
        record(
          templateOf(manifest),
          'Normal',
          'SyncSucceed',
          `Successfully applied resource(${about}) to cluster ${cluster}`,
        );
        record(
          subjectOf(work),
          'Normal',
          'SyncSucceed',
          `Sync work(${keyOf(work)}) to cluster(${cluster}) successful.`,
        );
      }
    } catch (error) {
      const message = (error as Error).message;
      const failed = `Failed to apply all manifests (0/1): ${message}`;
      await this.#report(work, condition('False', 'AppliedFailed', failed));
      record(
        templateOf(manifest),
        'Warning',
        'SyncFailed',
        `Failed to create or update resource(${keyOf(manifest)}) in member cluster(${cluster}): ${message}`,
      );
      record(
        subjectOf(work),
        'Warning',
        'SyncFailed',
        `Failed to sync work(${keyOf(work)}) to cluster(${cluster}), err: ${message}`,
      );
      throw error;
    }
    await this.#report(work, condition('True', 'AppliedSuccessful', 'Manifest has been successfully applied'));
  }

  /** The object of an unreachable member is deleted when the member is back, or not at all once its Cluster is removed (FED-9). */
  async #remove(cluster: string, work: Work): Promise<void> {
    const { client } = this.#pipeline;
    const { finalizers = [], resourceVersion } = work.metadata;
    if (!finalizers.includes(executionFinalizer)) return;
    const known = clustersOf(this.#pipeline).get(cluster);
    const [manifest] = work.spec.workload?.manifests ?? [];
    if (manifest && known && !this.#isLost(known)) {
      const member = this.#connected(cluster);
      if (!member) throw notReady(cluster);
      await removeManifest({ ...this.#pipeline, cluster, member }, work, manifest);
      this.#applied.forget(cluster, manifest);
    }
    const left = finalizers.filter((one) => one !== executionFinalizer);
    try {
      await client.patch(objectPath(worksPath, work), 'merge', { metadata: { resourceVersion, finalizers: left } });
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  }

  /** Whether the Works of the cluster are about to be deleted. */
  #isLeft(cluster: string): boolean {
    const known = clustersOf(this.#pipeline).get(cluster);
    return known !== undefined && isLeaving(known);
  }

  /** Whether the Cluster is deleted while its member is unreachable: its objects are left over, as with Karmada. */
  #isLost(cluster: Cluster): boolean {
    const hasConnection = this.#pipeline.connections.client(cluster.metadata.name) !== undefined;
    return isDeleted(cluster) && !(isReady(cluster) && hasConnection);
  }

  /** Undefined while the member is not ready. */
  #connected(cluster: string): KubeClient | undefined {
    const known = clustersOf(this.#pipeline).get(cluster);
    return known && isReady(known) ? this.#pipeline.connections.client(cluster) : undefined;
  }
}

const isReady = ({ status }: { status?: { conditions?: { type: string; status: string }[] } | undefined }): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** Whether objects can be written from now on, or are dropped from now on. */
const changesWrites = (now: Cluster, old: Cluster | undefined): boolean =>
  isDeleted(now) ? !old || !isDeleted(old) || isReady(now) !== isReady(old) : isReady(now) && !(old && isReady(old));

const notReady = (cluster: string): Error => new Error(`cluster(${cluster}) not ready`);

function dispatchingOf({ spec }: Work): NewCondition {
  const type = 'Dispatching';
  return spec.suspendDispatching
    ? { type, status: 'False', reason: 'SuspendDispatching', message: 'Work dispatching is in a suspended state.' }
    : { type, status: 'True', reason: 'Dispatching', message: 'Work is being dispatched to member clusters.' };
}

const condition = (status: 'True' | 'False', reason: string, message: string) =>
  ({ type: 'Applied', status, reason, message }) as const;

const subjectOf = ({ metadata }: Work): EventSubject => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata,
});

/** The template has the manifest's name; its uid is in the manifest's annotations. */
function templateOf({ apiVersion, kind, metadata }: AnyObject): EventSubject {
  const { name, namespace, annotations } = metadata;
  const uid = annotations?.['resourcetemplate.karmada.io/uid'];
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}), ...(uid ? { uid } : {}) },
  };
}
