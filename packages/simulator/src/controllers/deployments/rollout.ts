/** One look at a Deployment: what `syncDeployment` of Kubernetes' controller does, step by step. */

import { isDeepStrictEqual } from 'node:util';
import { type ReplicaSet, replicasOf } from '../replica-sets/replica-set.ts';
import type { Clock } from '../shared/clock.ts';
import { conditionOf, withCondition } from '../shared/conditions.ts';
import { controllerOf } from '../shared/controller-ref.ts';
import type { Pod } from '../shared/objects.ts';
import { isTerminal } from '../shared/pod-state.ts';
import { isSameTemplate } from '../shared/pod-template.ts';
import {
  activeSets,
  actualReplicas,
  type Deployment,
  type DeploymentStatus,
  hasHistoryLimit,
  hasProgressDeadline,
  isRollingUpdate,
  wantedReplicas,
} from './deployment.ts';
import {
  condition,
  deploymentStatus,
  isComplete,
  millisUntilLook,
  pausedCondition,
  rolloutStatus,
} from './deployment-status.ts';
import { newSetObject } from './new-set.ts';
import {
  byRevision,
  desiredOf,
  hasSizeAnnotations,
  maxRevision,
  newSetAnnotations,
  newSetOf,
  revisionAnnotation,
  rollbackTo,
  sizeAnnotations,
} from './revisions.ts';
import { rolledBack } from './rollback.ts';
import type { RolloutWrites } from './rollout-writes.ts';
import { newSetReplicas, oldSetSizes, scaledSizes } from './sizes.ts';

export class Rollout {
  readonly #clock: Clock;
  readonly #writes: RolloutWrites;
  readonly #sets: ReplicaSet[];
  readonly #pods: readonly Pod[];
  #deployment: Deployment;

  constructor(deployment: Deployment, sets: ReplicaSet[], pods: readonly Pod[], writes: RolloutWrites, clock: Clock) {
    this.#deployment = deployment;
    this.#sets = sets;
    this.#pods = pods;
    this.#writes = writes;
    this.#clock = clock;
  }

  /** Milliseconds after which it is looked at again, whatever happens. */
  async advance(): Promise<number | undefined> {
    const { metadata, spec } = this.#deployment;
    if (metadata.deletionTimestamp) {
      await this.#writeStatus();
      return undefined;
    }
    await this.#checkPaused();
    if (spec.paused) {
      await this.#scale(true);
      return undefined;
    }
    if (metadata.annotations?.[rollbackTo]) {
      await this.#rollBack();
      return undefined;
    }
    await this.#newSet(false);
    const isScaled = activeSets(this.#sets).some((set) => {
      const desired = desiredOf(set);
      return desired !== undefined && desired !== wantedReplicas(this.#deployment);
    });
    if (isScaled) {
      await this.#scale(false);
      return undefined;
    }
    return isRollingUpdate(this.#deployment) ? this.#rolling() : this.#recreate();
  }

  get #current(): ReplicaSet | undefined {
    return newSetOf(this.#deployment, this.#sets);
  }

  get #old(): ReplicaSet[] {
    const current = this.#current;
    return this.#sets.filter((set) => set !== current);
  }

  async #checkPaused(): Promise<void> {
    const next = pausedCondition(this.#deployment, this.#clock);
    if (next) await this.#update({ conditions: withCondition(this.#deployment.status?.conditions, next) });
  }

  async #update(status: Partial<DeploymentStatus>, annotations = this.#deployment.metadata.annotations): Promise<void> {
    const { metadata } = this.#deployment;
    this.#deployment = await this.#writes.updateStatus({
      ...this.#deployment,
      metadata: annotations ? { ...metadata, annotations } : metadata,
      status: { ...this.#deployment.status, ...status },
    });
  }

  #replace(set: ReplicaSet): void {
    const index = this.#sets.findIndex(({ metadata }) => metadata.uid === set.metadata.uid);
    if (index === -1) this.#sets.push(set);
    else this.#sets[index] = set;
  }

  /** The ReplicaSet of the template, its annotations and revision up to date; made where it shall be. */
  async #newSet(mayCreate: boolean): Promise<ReplicaSet | undefined> {
    const deployment = this.#deployment;
    const existing = this.#current;
    const revision = maxRevision(this.#old) + 1;
    if (!existing) return mayCreate ? this.#createSet(revision) : undefined;
    const annotations = newSetAnnotations(deployment, existing, revision);
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    const isSame =
      isDeepStrictEqual(annotations, existing.metadata.annotations) &&
      (existing.spec.minReadySeconds ?? 0) === minReadySeconds;
    if (!isSame) {
      const { minReadySeconds: _, ...spec } = existing.spec;
      const updated = await this.#writes.updateSet({
        ...existing,
        metadata: { ...existing.metadata, annotations },
        spec: minReadySeconds ? { ...spec, minReadySeconds } : spec,
      });
      this.#replace(updated);
      return updated;
    }
    const progressing = conditionOf(deployment.status?.conditions, 'Progressing');
    const message = `Found new replica set "${existing.metadata.name}"`;
    await this.#noteRevision(
      annotations[revisionAnnotation] ?? '',
      progressing ? undefined : { reason: 'FoundNewReplicaSet', message },
    );
    return existing;
  }

  async #noteRevision(revision: string, progress: { reason: string; message: string } | undefined): Promise<void> {
    const { metadata, status } = this.#deployment;
    const isProgress = progress !== undefined && hasProgressDeadline(this.#deployment);
    if (metadata.annotations?.[revisionAnnotation] === revision && !isProgress) return;
    const next = isProgress && condition(this.#clock, 'Progressing', 'True', progress.reason, progress.message);
    await this.#update(next ? { conditions: withCondition(status?.conditions, next) } : {}, {
      ...metadata.annotations,
      [revisionAnnotation]: revision,
    });
  }

  async #createSet(revision: number): Promise<ReplicaSet> {
    const deployment = this.#deployment;
    const set = newSetObject(deployment, this.#sets, revision);
    let created: ReplicaSet;
    let isNew = true;
    try {
      created = await this.#writes.createSet(set);
    } catch (error) {
      if (this.#writes.isNamespaceTerminating(error)) throw error;
      if (!this.#writes.isAlreadyExists(error)) {
        await this.#noteFailure(set, error);
        throw error;
      }
      const existing = this.#writes.existingSet(set.metadata.name);
      const isOwn =
        existing &&
        controllerOf(existing)?.uid === deployment.metadata.uid &&
        isSameTemplate(existing.spec.template, deployment.spec.template);
      if (!isOwn) {
        // Another template has the same hash: the next look hashes with another count.
        if (existing) await this.#update({ collisionCount: (deployment.status?.collisionCount ?? 0) + 1 });
        throw error;
      }
      created = existing;
      isNew = false;
    }
    this.#replace(created);
    const { name } = created.metadata;
    const replicas = replicasOf(set);
    if (isNew && replicas > 0) {
      this.#writes.event('Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicas}`);
    }
    const message = `Created new replica set "${name}"`;
    await this.#noteRevision(String(revision), isNew ? { reason: 'NewReplicaSetCreated', message } : undefined);
    return created;
  }

  async #noteFailure({ metadata }: ReplicaSet, error: unknown): Promise<void> {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Failed to create new replica set "${metadata.name}": ${why}`;
    this.#writes.event('Warning', 'ReplicaSetCreateError', message);
    if (!hasProgressDeadline(this.#deployment)) return;
    const next = condition(this.#clock, 'Progressing', 'False', 'ReplicaSetCreateError', message);
    await this.#update({ conditions: withCondition(this.#deployment.status?.conditions, next) });
  }

  /** Whether its size changed. */
  async #resize(set: ReplicaSet, replicas: number, isForced = false): Promise<boolean> {
    const before = replicasOf(set);
    if (before === replicas && (!isForced || hasSizeAnnotations(set, this.#deployment))) return false;
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(this.#deployment) };
    const updated = await this.#writes.updateSet({
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas },
    });
    this.#replace(updated);
    if (before === replicas) return false;
    const message = `Scaled ${before < replicas ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    this.#writes.event('Normal', 'ScalingReplicaSet', message);
    return true;
  }

  async #scale(isPaused: boolean): Promise<void> {
    const current = await this.#newSet(false);
    const { sizes, isForced } = scaledSizes(this.#deployment, current, this.#old);
    for (const { set, replicas } of sizes) await this.#resize(set, replicas, isForced);
    if (isPaused && !this.#deployment.metadata.annotations?.[rollbackTo]) await this.#cleanUp();
    await this.#writeStatus();
  }

  async #rolling(): Promise<number | undefined> {
    const current = (await this.#newSet(true))!;
    const wanted = wantedReplicas(this.#deployment);
    const replicas =
      replicasOf(current) > wanted ? wanted : newSetReplicas(this.#deployment, this.#sets, replicasOf(current));
    if (await this.#resize(current, replicas)) return this.#writeRollout();
    let isScaledDown = false;
    for (const size of oldSetSizes(this.#deployment, activeSets(this.#old), current)) {
      isScaledDown = (await this.#resize(size.set, size.replicas)) || isScaledDown;
    }
    if (!isScaledDown && isComplete(this.#deployment, this.#deployment.status ?? {})) await this.#cleanUp();
    return this.#writeRollout();
  }

  async #recreate(): Promise<number | undefined> {
    await this.#newSet(false);
    let isScaledDown = false;
    for (const set of activeSets(this.#old)) isScaledDown = (await this.#resize(set, 0)) || isScaledDown;
    if (isScaledDown || this.#hasOldPods()) return this.#writeRollout();
    const current = this.#current ?? (await this.#newSet(true))!;
    await this.#resize(current, wantedReplicas(this.#deployment));
    if (isComplete(this.#deployment, this.#deployment.status ?? {})) await this.#cleanUp();
    return this.#writeRollout();
  }

  #hasOldPods(): boolean {
    const current = this.#current?.metadata.uid;
    return (
      actualReplicas(this.#old) > 0 || this.#pods.some((pod) => controllerOf(pod)?.uid !== current && !isTerminal(pod))
    );
  }

  /** Deletes the oldest ReplicaSets that exceed the history limit. */
  async #cleanUp(): Promise<void> {
    if (!hasHistoryLimit(this.#deployment)) return;
    const alive = this.#old.filter(({ metadata }) => !metadata.deletionTimestamp).sort(byRevision);
    const excess = alive.length - this.#deployment.spec.revisionHistoryLimit!;
    for (const set of alive.slice(0, Math.max(0, excess))) {
      const { status, metadata } = set;
      const isObserved = (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
      if ((status?.replicas ?? 0) !== 0 || replicasOf(set) !== 0 || !isObserved) continue;
      await this.#writes.deleteSet(set);
    }
  }

  async #rollBack(): Promise<void> {
    await this.#newSet(true);
    const { deployment, type, reason, message } = rolledBack(this.#deployment, this.#sets);
    await this.#writes.update(deployment);
    this.#writes.event(type, reason, message);
  }

  async #writeStatus(): Promise<void> {
    const status = deploymentStatus(this.#deployment, this.#sets, this.#current, this.#clock);
    if (!isDeepStrictEqual(status, this.#deployment.status)) await this.#setStatus(status);
  }

  async #writeRollout(): Promise<number | undefined> {
    const deployment = this.#deployment;
    const status = rolloutStatus(deployment, this.#sets, this.#current, this.#clock);
    if (!isDeepStrictEqual(status, deployment.status)) {
      await this.#setStatus(status);
      return undefined;
    }
    return millisUntilLook(deployment, status, this.#clock);
  }

  async #setStatus(status: DeploymentStatus): Promise<void> {
    this.#deployment = await this.#writes.updateStatus({ ...this.#deployment, status });
  }
}
