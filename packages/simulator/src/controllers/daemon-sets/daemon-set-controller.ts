/** The DaemonSet controller: keeps one pod on every eligible node. */

import { isDeepStrictEqual } from 'node:util';
import { selectsByObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { Informer } from '@fleet/client/informer.ts';
import { isNamespaceTerminating, type KubeObject } from '@fleet/client/kube-client.ts';
import { RecentEntries } from '@fleet/client/recent-entries.ts';
import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';
import { isTerminal } from '../../pods/pod-conditions.ts';
import { candidates, claim, controllerRef, listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { type ControllerRevision, revisionPaths } from '../shared/controller-revision.ts';
import { followOwned } from '../shared/owned-objects.ts';
import { nextAvailable } from '../shared/pod-availability.ts';
import { PodControl, podFromTemplate } from '../shared/pod-control.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { slowStart } from '../shared/slow-start.ts';
import { type DaemonPlan, type DaemonState, daemonPlan, daemonStatus, rollingPlan } from './daemon-plan.ts';
import { DaemonRevisions, revisionHash } from './daemon-revisions.ts';
import { type DaemonSet, daemonSets, daemonTemplate, hashLabel, isRollingUpdate, nodeOf } from './daemon-set.ts';
import { eligibilityOf } from './eligible-node.ts';

const burst = 250;
/** Seconds until a failed pod is replaced. */
const firstBackoff = 1;
const longestBackoff = 900;

const selects = ({ spec }: DaemonSet, { metadata }: KubeObject): boolean =>
  selectsByObject(spec.selector, metadata.labels ?? {});

export const startDaemonSets = (parts: ControllerParts): AsyncDisposable => new DaemonSetController(parts).reconciler;

const byNode = ({ spec }: Pod): string[] => (spec.nodeName ? [spec.nodeName] : []);

class DaemonSetController {
  readonly reconciler: Reconciler;
  readonly #sets: Informer<DaemonSet>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #revisions: Informer<ControllerRevision>;
  readonly #history: DaemonRevisions;
  readonly #control: PodControl;
  /** By set, generation and node. */
  readonly #backoffs = new RecentEntries<{ seconds: number; since: number }>(1024);

  constructor(parts: ControllerParts) {
    const component = 'daemonset-controller';
    this.reconciler = new Reconciler({ parts, component, reconcile: (key) => this.#reconcile(key) });
    this.#sets = parts.informers.of<DaemonSet>(listPath(daemonSets));
    this.#pods = parts.informers.of<Pod>(listPath(podPaths));
    this.#nodes = parts.informers.of<Node>('/api/v1/nodes');
    this.#revisions = parts.informers.of<ControllerRevision>(listPath(revisionPaths));
    this.#history = new DaemonRevisions(this.reconciler, this.#revisions);
    this.#control = new PodControl(this.reconciler, this.#pods);
    const add = (key: string): void => this.reconciler.add(key);
    this.#sets.subscribe(add);
    const { kind } = daemonSets;
    followOwned({
      owned: this.#pods,
      owners: this.#sets,
      kind,
      selects: (set, pod) => selects(set, pod),
      add,
      onError: parts.onError,
    });
    this.#nodes.subscribe((_, now, old) => this.#nodeChanged(now, old));
  }

  /**
   * Heartbeats change nothing: only affected sets are synced. A pod that may continue on a node where no new one would be created
   * is not recounted until something else changes: syncNodeUpdate in `pkg/controller/daemon/daemon_controller.go`.
   */
  #nodeChanged(now: Node | undefined, old: Node | undefined): void {
    if (now && old && isDeepStrictEqual(now.metadata.labels, old.metadata.labels)) {
      if (isDeepStrictEqual(now.spec?.taints, old.spec?.taints)) return;
    }
    for (const set of this.#sets.values()) {
      if (!now || this.#concerns(set, now)) this.reconciler.add(`${set.metadata.namespace}/${set.metadata.name}`);
    }
  }

  #concerns(set: DaemonSet, node: Node): boolean {
    const { shouldRun, shouldContinue } = eligibilityOf(set, node);
    const isOwn = ({ metadata }: Pod): boolean =>
      metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === set.metadata.uid) ?? false;
    const isScheduled = [...this.#pods.index('node', byNode).get(node.metadata.name)].some(isOwn);
    if (!isScheduled) return shouldRun;
    return !shouldContinue || (set.status?.numberMisscheduled ?? 0) > 0;
  }

  async #reconcile(key: string): Promise<void> {
    const { events, parts } = this.reconciler;
    const set = this.#sets.get(key);
    if (!set) return;
    const about = { ...set, apiVersion: daemonSets.apiVersion, kind: daemonSets.kind };
    const { matchLabels = {}, matchExpressions = [] } = set.spec.selector;
    if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      events.event(about, 'Warning', 'SelectingAll', message);
      return;
    }
    if (set.metadata.deletionTimestamp) return;
    const known = await this.#claimed(key, set, this.#revisions, revisionPaths);
    const { current, old } = await this.#history.construct(key, set, known);
    const claimed = await this.#claimed(key, set, this.#pods, podPaths);
    const state = this.#stateOf(set, claimed, revisionHash(current));
    let failure: unknown;
    try {
      const plan = daemonPlan(state, parts.clock, (pod, node) => this.#isReplaced(key, about, pod, node));
      await this.#apply(key, about, plan, state.hash);
      const isSettled = plan.create.length === 0 && plan.delete.length === 0;
      if (isSettled && isRollingUpdate(set)) {
        await this.#apply(key, about, rollingPlan(state, parts.clock), state.hash);
      }
      const live = new Set(claimed.map(({ metadata }) => metadata.labels?.[hashLabel] ?? ''));
      await this.#history.cleanUp(key, set, old, live);
    } catch (error) {
      failure = error;
    }
    await this.#writeStatus(key, state);
    if (failure !== undefined) throw failure;
    const wait = nextAvailable(claimed, set.spec.minReadySeconds ?? 0, parts.clock);
    if (wait !== undefined) this.reconciler.addAfter(key, wait);
  }

  #stateOf(set: DaemonSet, claimed: readonly Pod[], hash: string): DaemonState {
    const pods = new Map<string, Pod[]>();
    for (const pod of claimed) {
      const node = nodeOf(pod);
      if (node === undefined || (isTerminal(pod) && pod.metadata.deletionTimestamp)) continue;
      const there = pods.get(node);
      if (there) there.push(pod);
      else pods.set(node, [pod]);
    }
    return { set, nodes: [...this.#nodes.values()], pods, hash };
  }

  /** Failed pods are replaced with an exponential backoff. */
  #isReplaced(key: string, about: DaemonSet & { apiVersion: string; kind: string }, pod: Pod, node: string): boolean {
    const { events, parts } = this.reconciler;
    const where = `${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`;
    if (pod.status?.phase === 'Succeeded') {
      const message = `Found succeeded daemon pod ${where}, will try to delete it`;
      events.event(about, 'Normal', 'SucceededDaemonPod', message);
      return true;
    }
    const backoffKey = `${about.metadata.uid}/${about.status?.observedGeneration ?? 0}/${node}`;
    const known = this.#backoffs.get(backoffKey);
    const now = parts.clock.now();
    const left = known ? known.since + parts.clock.millis(known.seconds) - now : 0;
    if (left > 0) {
      this.reconciler.addAfter(key, left);
      return false;
    }
    const seconds = known ? Math.min(known.seconds * 2, longestBackoff) : firstBackoff;
    this.#backoffs.set(backoffKey, { seconds, since: now });
    events.event(about, 'Warning', 'FailedDaemonPod', `Found failed daemon pod ${where}, will try to kill it`);
    return true;
  }

  async #apply(
    key: string,
    about: DaemonSet & { apiVersion: string; kind: string },
    plan: DaemonPlan,
    hash: string,
  ): Promise<void> {
    const created = plan.create.slice(0, burst);
    await slowStart(created.length, async (index) => {
      const template = daemonTemplate(about, hash, created[index]!);
      const pod = podFromTemplate(template, about.metadata.name, controllerRef(daemonSets, about));
      try {
        await this.#control.create(key, about, pod);
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
    await Promise.all(plan.delete.slice(0, burst).map((pod) => this.#control.delete(key, about, pod)));
  }

  #claimed<T extends KubeObject>(
    key: string,
    set: DaemonSet,
    informer: Informer<T>,
    paths: { root: string; resource: string },
  ): Promise<T[]> {
    const { client, signal } = this.reconciler.parts;
    const matches = (object: KubeObject): boolean =>
      object.metadata.namespace === set.metadata.namespace && selects(set, object);
    return claim(candidates(informer, set), {
      client,
      signal,
      kind: daemonSets,
      owner: set,
      paths,
      matches,
      onWrite: (object) => this.reconciler.expectations.wrote(key, informer, object),
    });
  }

  async #writeStatus(key: string, state: DaemonState): Promise<void> {
    const { client, clock, signal } = this.reconciler.parts;
    const { set } = state;
    const status = daemonStatus(state, clock);
    if (isDeepStrictEqual(status, set.status)) return;
    const { apiVersion, kind } = daemonSets;
    const path = `${pathOf(daemonSets, set.metadata, set.metadata.name)}/status`;
    const written = await client.replace<DaemonSet>(path, { ...set, apiVersion, kind, status }, signal);
    this.reconciler.expectations.wrote(key, this.#sets, written);
  }
}
