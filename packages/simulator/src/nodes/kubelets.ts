/** The kubelets of all nodes of a cluster: one queue, and timers only for pods to which something is due. */

import type { EventRecorder } from '@fleet/client/event-recorder.ts';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { Pace } from '@fleet/client/pace.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import type { ClusterContext } from '../cluster-context.ts';
import { isPodGone } from '../pods/is-pod-gone.ts';
import { type Pod, podPath } from '../pods/pod.ts';
import { isTerminal } from '../pods/pod-conditions.ts';
import { adoptedPodRecord } from './adopted-pod.ts';
import { containersWithKind } from './container-kinds.ts';
import { exit } from './container-life.ts';
import type { NodeRuntime, PodEvent } from './node-runtime.ts';
import type { PodAddresses } from './pod-addresses.ts';
import { advance, shouldRestart } from './pod-life.ts';
import { hasEnded, isRunning, type PodRecord } from './pod-record.ts';
import { isReported, podStatus } from './pod-status.ts';
import { missingOf } from './references.ts';
import type { RunningPod, RunningPods } from './running-pod.ts';
import { snapshot } from './snapshot.ts';

/** The state of one node's kubelet. */
export interface KubeletState {
  readonly name: string;
  readonly address: string;
  readonly addresses: PodAddresses;
  readonly images: Set<string>;
  /** Files that containers created in the node's directories. */
  readonly files: Set<string>;
  isStopped: boolean;
}

export interface KubeletsOptions {
  context: ClusterContext;
  pods: Informer<Pod>;
  hosts: ReadonlyMap<string, KubeletState>;
  recorder: EventRecorder;
}

interface TrackedPod {
  readonly key: string;
  readonly state: PodRecord;
}

type Observer = (pod: RunningPod | undefined) => void;

/** How many statuses of a cluster's pods are written at the same time. */
const workers = 4;
const fieldOf = {
  init: 'initContainers',
  sidecar: 'initContainers',
  main: 'containers',
  ephemeral: 'ephemeralContainers',
};

export class Kubelets implements RunningPods, AsyncDisposable {
  readonly #options: KubeletsOptions;
  readonly #queue: WorkQueue<string>;
  readonly #podsByUid = new Map<string, TrackedPod>();
  readonly #observers = new Map<string, Set<Observer>>();
  readonly #subscription: Disposable;

  constructor(options: KubeletsOptions) {
    this.#options = options;
    const { onError } = options.context;
    // Before any pod gets an address, as a pod that ran before this process may be synced last.
    for (const pod of options.pods.values()) this.#keepAddress(pod);
    this.#queue = new WorkQueue({ work: (key) => this.#sync(key), onError, workers, pace: new Pace() });
    this.#subscription = options.pods.subscribe((key, now, old) => this.#changed(key, now, old));
  }

  running(uid: string): RunningPod | undefined {
    const tracked = this.#podsByUid.get(uid);
    return tracked && snapshot(tracked.key, tracked.state);
  }

  *all(): Iterable<RunningPod> {
    for (const { key, state } of this.#podsByUid.values()) yield snapshot(key, state);
  }

  observe(uid: string, changed: Observer): Disposable {
    const observers = this.#observers.get(uid) ?? new Set();
    this.#observers.set(uid, observers.add(changed));
    return {
      [Symbol.dispose]: () => {
        observers.delete(changed);
        if (observers.size === 0 && this.#observers.get(uid) === observers) this.#observers.delete(uid);
      },
    };
  }

  /** A program ends by itself, such as the shell of an attached client. */
  end(uid: string, container: string, exitCode: number): void {
    const tracked = this.#podsByUid.get(uid);
    const pod = tracked && this.#options.pods.get(tracked.key);
    const one = tracked?.state.containers.find(({ name }) => name === container);
    if (!pod || one?.step.is !== 'running') return;
    for (const [spec] of containersWithKind(pod)) {
      if (spec.name !== container) continue;
      const sync = { now: Date.now(), runtime: this.#runtime(tracked.state.node), record: () => {} };
      const restarts = !tracked.state.stopping && shouldRestart(pod, one, spec, exitCode);
      exit(one, exitCode, exitCode === 0 ? 'Completed' : 'Error', restarts, sync);
    }
    this.#queue.add(tracked.key, tracked.key);
  }

  /** Called after a node was started again. */
  resume(node: string): void {
    for (const pod of this.#options.pods.values()) {
      if (pod.spec.nodeName === node) this.#queue.add(keyOf(pod), keyOf(pod));
    }
  }

  get idle(): Promise<void> {
    return this.#queue.idle;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    await this.#queue[Symbol.asyncDispose]();
    this.#podsByUid.clear();
  }

  #changed(key: string, now: Pod | undefined, old: Pod | undefined): void {
    if (old && old.metadata.uid !== now?.metadata.uid) this.#forget(old);
    if (now && this.#options.hosts.has(now.spec.nodeName ?? '')) this.#queue.add(key, key);
  }

  #forget(pod: Pod): void {
    const uid = uidOf(pod);
    const ip = this.#podsByUid.get(uid)?.state.ip ?? pod.status?.podIP;
    this.#releaseAddress({ node: pod.spec.nodeName ?? '', ip, uid });
    this.#podsByUid.delete(uid);
    for (const observer of this.#observers.get(uid) ?? []) observer(undefined);
    this.#observers.delete(uid);
  }

  #keepAddress(pod: Pod): void {
    const { podIP } = pod.status ?? {};
    if (podIP && !isTerminal(pod)) this.#options.hosts.get(pod.spec.nodeName ?? '')?.addresses.take(podIP, uidOf(pod));
  }

  #releaseAddress({ node, ip, uid }: Pick<PodRecord, 'node' | 'ip' | 'uid'>): void {
    if (ip) this.#options.hosts.get(node)?.addresses.release(ip, uid);
  }

  #runtime(node: string): NodeRuntime {
    const { context, hosts } = this.#options;
    return {
      millis: (seconds, jitter) => context.delays.millis(seconds, jitter),
      images: hosts.get(node)!.images,
      files: hosts.get(node)!.files,
      newContainerId: () => hexDigits(64, () => context.delays.random()),
    };
  }

  #track(pod: Pod, host: KubeletState, now: number): TrackedPod {
    const known = this.#podsByUid.get(uidOf(pod));
    if (known) return known;
    const state = adoptedPodRecord(pod, now, this.#runtime(host.name));
    this.#keepAddress(pod);
    const tracked = { key: keyOf(pod), state };
    this.#podsByUid.set(uidOf(pod), tracked);
    return tracked;
  }

  async #sync(key: string): Promise<boolean> {
    const { pods, hosts, context } = this.#options;
    const pod = pods.get(key);
    const host = hosts.get(pod?.spec.nodeName ?? '');
    if (!pod || !host || host.isStopped) return true;
    const { state } = this.#track(pod, host, Date.now());
    const missing = isStarting(state) ? await missingOf(pod, context.client, context.signal) : undefined;
    // The pod may have been deleted meanwhile.
    if (this.#podsByUid.get(state.uid)?.state !== state) return true;
    const now = Date.now();
    const allocate = (): string => (pod.spec.hostNetwork ? host.address : host.addresses.allocate(state.uid));
    const { events, due } = advance(pod, state, now, this.#runtime(host.name), allocate, missing);
    this.#record(pod, host, events);
    for (const observer of this.#observers.get(state.uid) ?? []) observer(snapshot(key, state));
    const ended = state.containers.every(hasEnded);
    if (ended) this.#releaseAddress(state);
    if (due !== undefined) this.#queue.addAfter(key, key, due - now);
    const status = podStatus(pod, state, host.address, now);
    if (!isReported(pod, status)) await this.#report(pod, status);
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    // A pod without a grace period waits only for its finalizers.
    if (ended && deletionTimestamp !== undefined && deletionGracePeriodSeconds !== 0) await this.#remove(pod);
    return true;
  }

  #record(pod: Pod, { name: host }: KubeletState, events: readonly PodEvent[]): void {
    if (events.length === 0) return;
    const { metadata } = pod;
    const kinds = new Map(Array.from(containersWithKind(pod), ([{ name }, kind]) => [name, kind]));
    for (const { type, reason, message, container } of events) {
      const kind = container === undefined ? undefined : kinds.get(container);
      const fieldPath = kind && `spec.${fieldOf[kind]}{${container}}`;
      const about = { apiVersion: 'v1', kind: 'Pod', metadata, host, ...(fieldPath ? { fieldPath } : {}) };
      this.#options.recorder.event(about, type, reason, message);
    }
  }

  /** The uid protects a newer pod of the same name. */
  async #report(pod: Pod, status: object): Promise<void> {
    const { client, signal } = this.#options.context;
    const patch = { metadata: { uid: pod.metadata.uid }, status };
    await gone(client.patch(`${podPath(pod)}/status`, 'strategic', patch, signal));
  }

  /** All containers have stopped: deletes the object. */
  async #remove(pod: Pod): Promise<void> {
    const { client, signal } = this.#options.context;
    const options = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
    await gone(client.delete(podPath(pod), { apiVersion: 'v1', kind: 'DeleteOptions', ...options }, signal));
  }
}

/** The objects that a container refers to are read before it starts. */
const isStarting = ({ containers, stopping }: PodRecord): boolean =>
  !stopping && containers.some((one) => !isRunning(one) && !hasEnded(one));

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';

/** Seeded, so that a run can be repeated. */
const hexDigits = (count: number, random: () => number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');

/** A pod that was deleted or replaced meanwhile needs nothing any more. */
async function gone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isPodGone(error)) throw error;
  }
}
