/** Writes pods and claims of a StatefulSet, and records Events about them. */

import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { isStatus, type OwnerReference } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { pathOf, podPaths } from '../shared/controller-ref.ts';
import { messageOf, type NewPod } from '../shared/pod-control.ts';
import type { Reconciler } from '../shared/reconciler.ts';
import { hasOtherController, isStale, retainedOwners } from './claim-retention.ts';
import {
  type Claim,
  claimPaths,
  claimsOf,
  ordinalOf,
  type StatefulSet,
  statefulSets,
  withIdentity,
} from './stateful-set.ts';

type Verb = 'Create' | 'Update' | 'Delete';

export class StatefulPods {
  readonly #reconciler: Reconciler;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<Claim>;
  readonly #set: StatefulSet;

  constructor(reconciler: Reconciler, pods: Informer<Pod>, claims: Informer<Claim>, set: StatefulSet) {
    this.#reconciler = reconciler;
    this.#pods = pods;
    this.#claims = claims;
    this.#set = set;
  }

  get #key(): string {
    return keyOf(this.#set);
  }

  /** The claim of an earlier pod of that name is being deleted: the new pod waits for it. */
  hasStaleClaim(pod: NewPod): boolean {
    return this.#claimsOf(pod).some(({ known }) => known !== undefined && isStale(this.#set, known, pod));
  }

  async create(pod: NewPod): Promise<void> {
    const { parts, expectations } = this.#reconciler;
    try {
      await this.createClaims(pod);
      const created = await parts.client.create<Pod>(pathOf(podPaths, this.#set.metadata), pod, parts.signal);
      expectations.wrote(this.#key, this.#pods, created);
      await this.retainClaims(created);
    } catch (error) {
      const exists = isStatus(error, 409) && error.reason === 'AlreadyExists';
      if (!exists) this.#podEvent('Create', pod, error);
      throw error;
    }
    this.#podEvent('Create', pod);
  }

  /** Restores the labels and volumes that the set gave it. */
  async update(pod: Pod): Promise<void> {
    const { parts, expectations } = this.#reconciler;
    const { name } = pod.metadata;
    try {
      await this.createClaims(pod);
      await this.retainClaims(pod);
      const desired = withIdentity(this.#set, pod, ordinalOf(this.#set, pod)!);
      const path = pathOf(podPaths, this.#set.metadata, name);
      const body = { ...desired, apiVersion: 'v1', kind: 'Pod' };
      expectations.wrote(this.#key, this.#pods, await parts.client.replace<Pod>(path, body, parts.signal));
    } catch (error) {
      if (!isStatus(error, 409)) this.#podEvent('Update', pod, error);
      throw error;
    }
    this.#podEvent('Update', pod);
  }

  async delete(pod: Pod): Promise<void> {
    const { parts, expectations } = this.#reconciler;
    try {
      const path = pathOf(podPaths, this.#set.metadata, pod.metadata.name);
      await parts.client.delete(path, undefined, parts.signal);
      expectations.deleted(this.#key, this.#pods, pod);
    } catch (error) {
      if (!isStatus(error, 404)) {
        this.#podEvent('Delete', pod, error);
        throw error;
      }
    }
    this.#podEvent('Delete', pod);
  }

  async createClaims(pod: NewPod | Pod): Promise<void> {
    const { parts, expectations } = this.#reconciler;
    for (const { claim, known } of this.#claimsOf(pod)) {
      if (known?.metadata.deletionTimestamp) throw new Error(`pvc ${claim.metadata.name} is being deleted`);
      if (known) continue;
      try {
        const path = pathOf(claimPaths, this.#set.metadata);
        expectations.wrote(this.#key, this.#claims, await parts.client.create<Claim>(path, claim, parts.signal));
        this.#event(
          'Create',
          `Create Claim ${claim.metadata.name} Pod ${pod.metadata.name} in StatefulSet ${this.#set.metadata.name} success`,
        );
      } catch (error) {
        if (!isStatus(error, 409)) {
          const message = `Create Claim ${claim.metadata.name} for Pod ${pod.metadata.name} in StatefulSet ${this.#set.metadata.name} failed error: ${messageOf(error)}`;
          this.#event('Create', message, true);
        }
        throw error;
      }
    }
  }

  isRetentionRight(pod: Pod): boolean {
    return this.#claimsOf(pod).every(({ known }) => !known || !this.#ownersOf(known, pod));
  }

  async retainClaims(pod: Pod): Promise<void> {
    const { parts, expectations, events } = this.#reconciler;
    for (const { known } of this.#claimsOf(pod)) {
      if (!known) continue;
      const { name } = known.metadata;
      if (hasOtherController(this.#set, known, pod)) {
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        events.event(this.#about, 'Warning', 'ConflictingController', message);
      }
      const ownerReferences = this.#ownersOf(known, pod);
      if (!ownerReferences) continue;
      const body = {
        ...known,
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { ...known.metadata, ownerReferences },
      };
      const path = pathOf(claimPaths, this.#set.metadata, name);
      expectations.wrote(this.#key, this.#claims, await parts.client.replace<Claim>(path, body, parts.signal));
    }
  }

  #ownersOf(claim: Claim, pod: Pod): OwnerReference[] | undefined {
    return retainedOwners(this.#set, claim, pod);
  }

  #claimsOf(pod: NewPod | Pod): { claim: Claim; known: Claim | undefined }[] {
    const ordinal = ordinalOf(this.#set, pod);
    if (ordinal === undefined) return [];
    return claimsOf(this.#set, ordinal).map((claim) => ({ claim, known: this.#claims.get(keyOf(claim)) }));
  }

  get #about() {
    return { ...this.#set, apiVersion: statefulSets.apiVersion, kind: statefulSets.kind };
  }

  #podEvent(verb: Verb, pod: NewPod | Pod, error?: unknown): void {
    const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${this.#set.metadata.name}`;
    if (error === undefined) this.#event(verb, `${what} successful`);
    else this.#event(verb, `${what} failed error: ${messageOf(error)}`, true);
  }

  #event(verb: Verb, message: string, isFailure = false): void {
    const reason = `${isFailure ? 'Failed' : 'Successful'}${verb}`;
    this.#reconciler.events.event(this.#about, isFailure ? 'Warning' : 'Normal', reason, message);
  }
}
