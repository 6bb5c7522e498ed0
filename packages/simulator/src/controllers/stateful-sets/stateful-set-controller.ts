/** The StatefulSet controller: keeps pods with stable names, order, claims and revisions. */

import { selectsByObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeObject } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { candidates, claim, listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { type ControllerRevision, dataText, revisionPaths } from '../shared/controller-revision.ts';
import { followOwned } from '../shared/owned-objects.ts';
import { nextAvailable } from '../shared/pod-availability.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { excessRevisions, newRevision, revisionStep } from './revisions.ts';
import { StatefulPods } from './stateful-pods.ts';
import { type Claim, claimPaths, ordinalOf, revisionOf, type StatefulSet, statefulSets } from './stateful-set.ts';
import { completed, isInconsistent, statefulSetStatus, writtenStatus } from './stateful-set-status.ts';
import { syncPods } from './stateful-set-sync.ts';

const selects = ({ spec }: StatefulSet, { metadata }: KubeObject): boolean =>
  selectsByObject(spec.selector, metadata.labels ?? {});

export function startStatefulSets(parts: ControllerParts): AsyncDisposable {
  const controller = new StatefulSetController(parts);
  return controller.reconciler;
}

class StatefulSetController {
  readonly reconciler: Reconciler;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<Claim>;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(parts: ControllerParts) {
    const component = 'statefulset-controller';
    this.reconciler = new Reconciler({ parts, component, reconcile: (key) => this.#reconcile(key) });
    this.#sets = parts.informers.of<StatefulSet>(listPath(statefulSets));
    this.#pods = parts.informers.of<Pod>(listPath(podPaths));
    this.#claims = parts.informers.of<Claim>(listPath(claimPaths));
    this.#revisions = parts.informers.of<ControllerRevision>(listPath(revisionPaths));
    const add = (key: string): void => this.reconciler.add(key);
    this.#sets.subscribe(add);
    followOwned({
      owned: this.#pods,
      owners: this.#sets,
      kind: statefulSets.kind,
      selects: (set, pod) => selects(set, pod),
      add,
      onError: parts.onError,
    });
  }

  async #reconcile(key: string): Promise<void> {
    const set = this.#sets.get(key);
    if (!set) return;
    const { clock } = this.reconciler.parts;
    const known = await this.#claimed(key, set, this.#revisions, revisionPaths, (object) => selects(set, object));
    const pods = await this.#claimed(
      key,
      set,
      this.#pods,
      podPaths,
      (object) => selects(set, object) && ordinalOf(set, object) !== undefined,
    );
    const { update, collisionCount } = await this.#updateRevision(key, set, known);
    const current = known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const revisions = { current: current.metadata.name, update: update.metadata.name, collisionCount };
    const status = statefulSetStatus(set, pods, revisions, clock);
    const client = new StatefulPods(this.reconciler, this.#pods, this.#claims, set);
    let failure: unknown;
    let gone = 0;
    try {
      gone = await syncPods({ set, pods, current, update }, client, clock);
    } catch (error) {
      failure = error;
    }
    // A pod of neither revision was not counted: Kubernetes would go below zero, be refused and retry.
    const currentReplicas = Math.max(0, (status.currentReplicas ?? 0) - gone);
    const next = completed(set, { ...status, currentReplicas });
    if (isInconsistent(set, next)) await this.#writeStatus(key, { ...set, status: writtenStatus(next) });
    if (failure !== undefined) throw failure;
    const live = new Set([revisions.current, revisions.update, ...pods.map(revisionOf)]);
    for (const excess of excessRevisions(set, known, live)) await this.#deleteRevision(key, excess);
    const wait = nextAvailable(pods, set.spec.minReadySeconds ?? 0, clock);
    if (wait !== undefined) this.reconciler.addAfter(key, wait);
  }

  #claimed<T extends KubeObject>(
    key: string,
    set: StatefulSet,
    informer: Informer<T>,
    paths: { root: string; resource: string },
    matches: (object: KubeObject) => boolean,
  ): Promise<T[]> {
    const { client, signal } = this.reconciler.parts;
    return claim(candidates(informer, set), {
      client,
      signal,
      kind: statefulSets,
      owner: set,
      paths,
      matches,
      onWrite: (object) => this.reconciler.expectations.wrote(key, informer, object),
    });
  }

  async #updateRevision(
    key: string,
    set: StatefulSet,
    known: readonly ControllerRevision[],
  ): Promise<{ update: ControllerRevision; collisionCount: number }> {
    const { client, signal } = this.reconciler.parts;
    const step = revisionStep(set, known);
    let collisionCount = set.status?.collisionCount ?? 0;
    const written = (revision: ControllerRevision): ControllerRevision => {
      this.reconciler.expectations.wrote(key, this.#revisions, revision);
      return revision;
    };
    switch (step.do) {
      case 'keep':
        return { update: step.revision, collisionCount };
      case 'renumber': {
        const path = pathOf(revisionPaths, set.metadata, step.revision.metadata.name);
        const body = { ...step.revision, apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: step.number };
        return { update: written(await client.replace<ControllerRevision>(path, body, signal)), collisionCount };
      }
      case 'create':
        break;
      default:
        return step satisfies never;
    }
    for (;;) {
      const revision = newRevision(set, step.revision.revision, collisionCount);
      try {
        const path = pathOf(revisionPaths, set.metadata);
        return { update: written(await client.create<ControllerRevision>(path, revision, signal)), collisionCount };
      } catch (error) {
        if (!isStatus(error, 409) || error.reason !== 'AlreadyExists') throw error;
        const path = pathOf(revisionPaths, set.metadata, revision.metadata.name);
        const existing = await client.get<ControllerRevision>(path, signal);
        if (dataText(existing.data) === dataText(revision.data)) return { update: existing, collisionCount };
        collisionCount += 1;
      }
    }
  }

  async #writeStatus(key: string, set: StatefulSet): Promise<void> {
    const { client, signal } = this.reconciler.parts;
    const { apiVersion, kind } = statefulSets;
    const path = `${pathOf(statefulSets, set.metadata, set.metadata.name)}/status`;
    const written = await client.replace<StatefulSet>(path, { ...set, apiVersion, kind }, signal);
    this.reconciler.expectations.wrote(key, this.#sets, written);
  }

  async #deleteRevision(key: string, revision: ControllerRevision): Promise<void> {
    const { client, signal } = this.reconciler.parts;
    await client.delete(pathOf(revisionPaths, revision.metadata, revision.metadata.name), undefined, signal);
    this.reconciler.expectations.deleted(key, this.#revisions, revision);
  }
}
