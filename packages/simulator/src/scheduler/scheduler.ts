/** The scheduler: binds pods to nodes as kube-scheduler does, one after the other, without inter-pod affinity and preemption. */

import { isDeepStrictEqual } from 'node:util';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { isStatus, type KubeObject } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterContext } from '../cluster-context.ts';
import type { Node } from '../nodes/node.ts';
import { isPodGone } from '../pods/is-pod-gone.ts';
import { type Pod, podPath } from '../pods/pod.ts';
import { claimsOf } from '../pods/pod-claims.ts';
import { isTerminal } from '../pods/pod-conditions.ts';
import { chooseNode } from './choose-node.ts';
import { claimRefusal } from './claim-refusal.ts';
import { NodeLoad } from './node-load.ts';
import { type SchedulingEvent, SchedulingEvents } from './scheduling-events.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

const schedulerName = 'default-scheduler';
/** The maximum of concurrent bindings. */
const mostBindings = 8;

export interface Scheduler extends AsyncDisposable {
  /** Resolves when every schedulable pod has been tried. */
  readonly idle: Promise<void>;
}

export async function startScheduler(context: ClusterContext): Promise<Scheduler> {
  const { client, onError } = context;
  const own = context.informers ? undefined : new SharedInformers({ client, onError });
  const informers = context.informers ?? own!;
  const nodes = informers.of<Node>('/api/v1/nodes');
  const pods = informers.of<Pod>('/api/v1/pods');
  const claims = informers.of('/api/v1/persistentvolumeclaims');
  await Promise.all([nodes.synced, pods.synced, claims.synced]);
  const scheduling = new Scheduling(context, nodes, pods, claims);
  return {
    get idle() {
      return scheduling.idle;
    },
    async [Symbol.asyncDispose]() {
      await scheduling[Symbol.asyncDispose]();
      await own?.[Symbol.asyncDispose]();
    },
  };
}

/** The fields of a node whose change may help an unschedulable pod. */
const relevant = (node: Node | undefined): unknown => [
  node?.status?.allocatable,
  node?.metadata.labels,
  node?.spec.taints,
  node?.spec.unschedulable,
];

const isWaiting = ({ spec, metadata }: Pod): boolean =>
  !spec.nodeName &&
  metadata.deletionTimestamp === undefined &&
  (spec.schedulerName ?? schedulerName) === schedulerName &&
  (spec.schedulingGates?.length ?? 0) === 0;

class Scheduling implements AsyncDisposable {
  readonly #context: ClusterContext;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<KubeObject>;
  readonly #events: SchedulingEvents;
  readonly #loads = new Map<string, NodeLoad>();
  /** Of pods with a node, including assumed ones whose binding the API server has not reported yet. */
  readonly #nodeByUid = new Map<string, string>();
  readonly #queue: SchedulingQueue;
  readonly #bindings = new Set<Promise<void>>();
  readonly #subscriptions: Disposable[];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(context: ClusterContext, nodes: Informer<Node>, pods: Informer<Pod>, claims: Informer<KubeObject>) {
    this.#context = context;
    this.#pods = pods;
    this.#claims = claims;
    this.#events = new SchedulingEvents(context.client, context.name, context.signal);
    this.#queue = new SchedulingQueue(context.delays, () => {
      this.#running ??= this.#run();
    });
    this.#subscriptions = [
      nodes.subscribe((name, now, old) => {
        this.#load(name).node = now;
        if (now && !isDeepStrictEqual(relevant(now), relevant(old))) this.#queue.retry();
      }),
      pods.subscribe((key, now, old) => this.#podChanged(key, now, old)),
      claims.subscribe((key, now, old) => {
        if (now && now.metadata.uid !== old?.metadata.uid) this.#claimCame(key);
      }),
    ];
  }

  get idle(): Promise<void> {
    return Promise.all([this.#running, ...this.#bindings]).then(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#queue[Symbol.dispose]();
    await this.idle;
  }

  #load(name: string): NodeLoad {
    const load = this.#loads.get(name) ?? new NodeLoad();
    this.#loads.set(name, load);
    return load;
  }

  #podChanged(key: string, now: Pod | undefined, old: Pod | undefined): void {
    if (old && old.metadata.uid !== now?.metadata.uid) {
      this.#unplace(old.metadata.uid ?? '');
      this.#queue.remove(key);
    }
    if (!now) return;
    const uid = now.metadata.uid ?? '';
    if (isTerminal(now)) this.#unplace(uid);
    else if (now.spec.nodeName) {
      // It may have been resized.
      if (old && old.metadata.generation !== now.metadata.generation) this.#unplace(uid);
      this.#place(uid, now, now.spec.nodeName);
    }
    if (!isWaiting(now)) this.#queue.remove(key);
    // A change of its status, such as our own condition, does not make it schedulable.
    else if (!this.#nodeByUid.has(uid) && !(this.#queue.isUnschedulable(key) && isSameSpec(now, old)))
      this.#queue.add(key, now.spec.priority ?? 0);
  }

  #claimCame(key: string): void {
    const users = Iterator.from(this.#pods.index('claim', claimsOf).get(key));
    if (users.some((pod) => this.#queue.isUnschedulable(keyOf(pod)))) this.#queue.retry();
  }

  #place(uid: string, pod: Pod, node: string): void {
    this.#nodeByUid.set(uid, node);
    this.#load(node).add(uid, pod);
  }

  #unplace(uid: string): void {
    const node = this.#nodeByUid.get(uid);
    if (node === undefined) return;
    this.#nodeByUid.delete(uid);
    if (this.#load(node).remove(uid)) this.#queue.retry();
  }

  async #run(): Promise<void> {
    // Asynchronous, so that adding a pod never schedules within the caller's call.
    await Promise.resolve();
    const pace = new Pace();
    for (let key = this.#queue.next(); key !== undefined && !this.#isClosed; key = this.#queue.next()) {
      try {
        await this.#schedule(key);
      } catch (error) {
        if (!this.#context.signal.aborted) this.#context.onError(error);
      }
      if (pace.isDue) await pace.rest();
    }
    this.#running = undefined;
  }

  async #schedule(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    const uid = pod?.metadata.uid ?? '';
    if (!pod || !isWaiting(pod) || this.#nodeByUid.has(uid)) return;
    const choice = chooseNode(
      pod,
      this.#loads.values(),
      claimRefusal(pod, (claim) => this.#claims.get(claim)),
    );
    if (choice.node === undefined) {
      this.#queue.markUnschedulable(key, pod.spec.priority ?? 0);
      await this.#refuse(pod, choice.message);
      return;
    }
    this.#queue.remove(key);
    this.#place(uid, pod, choice.node);
    const binding = this.#bind(pod, choice.node).finally(() => this.#bindings.delete(binding));
    this.#bindings.add(binding);
    if (this.#bindings.size >= mostBindings) await Promise.race(this.#bindings);
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const { client, signal, onError } = this.#context;
    const { name, namespace, uid = '' } = pod.metadata;
    const target = { kind: 'Node', name: node };
    try {
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target };
      await client.create(`${podPath(pod)}/binding`, binding, signal);
    } catch (error) {
      this.#unplace(uid);
      // Deleted, bound by another scheduler, or being deleted: if it still waits, its events queue it again.
      if (isStatus(error, 404) || isStatus(error, 409) || signal.aborted) return;
      onError(error);
      this.#queue.markUnschedulable(keyOf(pod), pod.spec.priority ?? 0);
      this.#queue.retry();
      return;
    }
    const note = `Successfully assigned ${keyOf(pod)} to ${node}`;
    await this.#record(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note });
  }

  async #record(pod: Pod, event: SchedulingEvent): Promise<void> {
    try {
      await this.#events.record(pod, event);
    } catch (error) {
      if (!this.#context.signal.aborted) this.#context.onError(error);
    }
  }

  async #refuse(pod: Pod, message: string): Promise<void> {
    const { client, signal } = this.#context;
    await this.#record(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: message });
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (known?.status === 'False' && known.reason === 'Unschedulable' && known.message === message) return;
    const now = timeText(Date.now());
    const condition = {
      type: 'PodScheduled',
      ...(pod.metadata.generation ? { observedGeneration: pod.metadata.generation } : {}),
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: known?.status === 'False' ? known.lastTransitionTime : now,
      reason: 'Unschedulable',
      message,
    };
    const patch = { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } };
    try {
      await client.patch(`${podPath(pod)}/status`, 'strategic', patch, signal);
    } catch (error) {
      if (!isPodGone(error)) throw error;
    }
  }
}

const isSameSpec = (now: Pod, old: Pod | undefined): boolean =>
  old !== undefined && now.metadata.generation === old.metadata.generation && isDeepStrictEqual(now.spec, old.spec);
