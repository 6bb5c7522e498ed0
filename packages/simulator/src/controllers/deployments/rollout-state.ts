/** A Deployment and its ReplicaSets during one sync: later steps see the writes of earlier ones. */

import type { Pod } from '../../pods/pod.ts';
import { type ReplicaSet, replicasOf } from '../replica-sets/replica-set.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import type { Deployment, DeploymentStatus } from './deployment.ts';
import { hasSizeAnnotations, newSetOf, sizeAnnotations } from './revisions.ts';
import type { RolloutClient } from './rollout-client.ts';

export class RolloutState {
  readonly clock: ScaledTime;
  readonly client: RolloutClient;
  readonly pods: readonly Pod[];
  readonly #sets: ReplicaSet[];
  #deployment: Deployment;

  constructor(
    deployment: Deployment,
    sets: readonly ReplicaSet[],
    pods: readonly Pod[],
    client: RolloutClient,
    clock: ScaledTime,
  ) {
    this.#deployment = deployment;
    this.#sets = [...sets];
    this.pods = pods;
    this.client = client;
    this.clock = clock;
  }

  get deployment(): Deployment {
    return this.#deployment;
  }

  get sets(): readonly ReplicaSet[] {
    return this.#sets;
  }

  /** The ReplicaSet of the template. */
  get current(): ReplicaSet | undefined {
    return newSetOf(this.#deployment, this.#sets);
  }

  get old(): ReplicaSet[] {
    const { current } = this;
    return this.#sets.filter((set) => set !== current);
  }

  async setStatus(status: DeploymentStatus): Promise<void> {
    this.#deployment = await this.client.updateStatus({ ...this.#deployment, status });
  }

  async update(status: Partial<DeploymentStatus>, annotations = this.#deployment.metadata.annotations): Promise<void> {
    const { metadata } = this.#deployment;
    this.#deployment = await this.client.updateStatus({
      ...this.#deployment,
      metadata: annotations ? { ...metadata, annotations } : metadata,
      status: { ...this.#deployment.status, ...status },
    });
  }

  replace(set: ReplicaSet): void {
    const index = this.#sets.findIndex(({ metadata }) => metadata.uid === set.metadata.uid);
    if (index === -1) this.#sets.push(set);
    else this.#sets[index] = set;
  }

  /** Returns whether the size changed. */
  async resize(set: ReplicaSet, replicas: number, isForced = false): Promise<boolean> {
    const before = replicasOf(set);
    if (before === replicas && (!isForced || hasSizeAnnotations(set, this.#deployment))) return false;
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(this.#deployment) };
    const updated = await this.client.updateSet({
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas },
    });
    this.replace(updated);
    if (before === replicas) return false;
    const message = `Scaled ${before < replicas ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    this.client.event('Normal', 'ScalingReplicaSet', message);
    return true;
  }
}
