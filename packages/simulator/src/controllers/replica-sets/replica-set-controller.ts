/** The controller of ReplicaSets and ReplicationControllers: keeps the desired number of pods. */

import { isDeepStrictEqual } from 'node:util';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { isNamespaceTerminating } from '@fleet/client/kube-client.ts';
import { byController, byNamespace } from '@fleet/client/object-index.ts';
import type { Pod } from '../../pods/pod.ts';
import { isActive, isTerminating } from '../../pods/pod-conditions.ts';
import {
  candidates,
  claim,
  controllerOf,
  controllerRef,
  listPath,
  pathOf,
  podPaths,
} from '../shared/controller-ref.ts';
import { followOwned } from '../shared/owned-objects.ts';
import { pacedFilter } from '../shared/paced.ts';
import { nextAvailable } from '../shared/pod-availability.ts';
import { PodControl, podFromTemplate } from '../shared/pod-control.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { slowStart } from '../shared/slow-start.ts';
import { podsToDelete } from './deletion-order.ts';
import { type ReplicaKind, type ReplicaSet, replicasOf } from './replica-set.ts';
import { replicaSetStatus, type Seen } from './replica-set-status.ts';

/** How many pods are created or deleted at most in one sync. */
const burst = 500;

export function startReplicaSets(parts: ControllerParts, kind: ReplicaKind): AsyncDisposable {
  const sets = parts.informers.of<ReplicaSet>(listPath(kind));
  const pods = parts.informers.of<Pod>(listPath(podPaths));
  const controller = new ReplicaSetController(parts, kind, sets, pods);
  sets.subscribe((key) => controller.reconciler.add(key));
  followOwned({
    owned: pods,
    owners: sets,
    kind: kind.kind,
    selects: (set, pod) => kind.selects(set, pod.metadata.labels ?? {}),
    add: (key) => controller.reconciler.add(key),
    onError: parts.onError,
  });
  return controller.reconciler;
}

class ReplicaSetController {
  readonly reconciler: Reconciler;
  readonly #kind: ReplicaKind;
  readonly #sets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;
  readonly #control: PodControl;

  constructor(parts: ControllerParts, kind: ReplicaKind, sets: Informer<ReplicaSet>, pods: Informer<Pod>) {
    const { component } = kind;
    this.reconciler = new Reconciler({ parts, component, reconcile: (key) => this.#reconcile(key) });
    this.#kind = kind;
    this.#sets = sets;
    this.#pods = pods;
    this.#control = new PodControl(this.reconciler, pods);
  }

  async #reconcile(key: string): Promise<void> {
    const { parts } = this.reconciler;
    const set = this.#sets.get(key);
    if (!set) return;
    const { active, terminating } = await this.#podsOf(key, set);
    let failure: unknown;
    if (!set.metadata.deletionTimestamp) {
      try {
        await this.#manage(key, set, active);
      } catch (error) {
        if (parts.signal.aborted) throw error;
        failure = error;
      }
    }
    await this.#writeStatus(set, { active, terminating, failure });
    if (failure !== undefined) throw failure;
    const next = nextAvailable(active, set.spec.minReadySeconds ?? 0, parts.clock);
    if (next !== undefined) this.reconciler.addAfter(key, next);
  }

  async #podsOf(key: string, set: ReplicaSet): Promise<{ active: Pod[]; terminating: Pod[] }> {
    const { client, signal } = this.reconciler.parts;
    const selects = (pod: Pod): boolean => this.#kind.selects(set, pod.metadata.labels ?? {});
    const active = await claim(candidates(this.#pods, set).filter(isActive), {
      client,
      signal,
      kind: this.#kind,
      owner: set,
      paths: podPaths,
      matches: (object) => selects(object as Pod),
      onWrite: (object) => this.reconciler.expectations.wrote(key, this.#pods, object),
    });
    const own = [...this.#pods.index('controller', byController).get(set.metadata.uid!)];
    return { active, terminating: own.filter((pod) => isTerminating(pod) && selects(pod)) };
  }

  async #manage(key: string, set: ReplicaSet, active: readonly Pod[]): Promise<void> {
    const missing = replicasOf(set) - active.length;
    const about = { ...set, apiVersion: this.#kind.apiVersion, kind: this.#kind.kind };
    if (missing > 0) {
      await slowStart(Math.min(missing, burst), async () => {
        const ref = controllerRef(this.#kind, set);
        const pod = podFromTemplate(set.spec.template, set.metadata.name, ref);
        try {
          await this.#control.create(key, about, pod);
        } catch (error) {
          if (!isNamespaceTerminating(error)) throw error;
        }
      });
      return;
    }
    if (missing === 0) return;
    const related = await this.#relatedPods(set);
    const gone = podsToDelete(active, related, Math.min(-missing, burst), this.reconciler.parts.clock.now());
    await Promise.all(gone.map((pod) => this.#control.delete(key, about, pod)));
  }

  /** The pods of all ReplicaSets of the same owner. */
  async #relatedPods(set: ReplicaSet): Promise<Pod[]> {
    const owner = controllerOf(set);
    if (!owner) return [];
    const namespace = this.#pods.index('namespace', byNamespace).get(set.metadata.namespace ?? '');
    const siblings = [...this.#sets.index('controller', byController).get(owner.uid)];
    return pacedFilter(namespace, ({ metadata }) =>
      siblings.some((sibling) => this.#kind.selects(sibling, metadata.labels ?? {})),
    );
  }

  async #writeStatus(set: ReplicaSet, seen: Seen): Promise<void> {
    const { client, clock, signal } = this.reconciler.parts;
    const status = replicaSetStatus(this.#kind, set, seen, clock);
    if (isDeepStrictEqual(status, set.status)) return;
    const path = `${pathOf(this.#kind, set.metadata, set.metadata.name)}/status`;
    const body = { ...set, apiVersion: this.#kind.apiVersion, kind: this.#kind.kind, status };
    const written = await client.replace<ReplicaSet>(path, body, signal);
    this.reconciler.expectations.wrote(keyOf(set), this.#sets, written);
  }
}
