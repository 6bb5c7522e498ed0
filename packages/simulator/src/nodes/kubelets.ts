/** Leads the pods of all nodes of a cluster through their lives: one queue, timers only for pods to which something is due. */

import type { EventRecorder } from '@fleet/client/event-recorder.ts';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import type { ClusterContext } from '../cluster-context.ts';
import { type Pod, podPath } from '../pod.ts';
import { adoptedPodState } from './adopted-pod.ts';
import { exit } from './container-life.ts';
import type { NodeRuntime, PodEvent } from './node-runtime.ts';
import type { PodAddresses } from './pod-addresses.ts';
import { advance, containersOf, shouldRestart } from './pod-life.ts';
import { hasEnded, type PodState } from './pod-state.ts';
import { isReported, podStatus } from './pod-status.ts';
import type { RunningPod, RunningPods } from './running-pod.ts';
import { snapshot } from './snapshot.ts';

/** One machine. */
export interface NodeHost {
  readonly name: string;
  readonly address: string;
  readonly addresses: PodAddresses;
  readonly images: Set<string>;
  isStopped: boolean;
}

export interface KubeletsOptions {
  context: ClusterContext;
  pods: Informer<Pod>;
  hosts: ReadonlyMap<string, NodeHost>;
  recorder: EventRecorder;
}

interface Held {
  readonly key: string;
  readonly state: PodState;
}

type Observer = (pod: RunningPod | undefined) => void;

/** How many pods of a cluster are written about at the same time. */
const lanes = 4;
const fieldOf = {
  init: 'initContainers',
  sidecar: 'initContainers',
  main: 'containers',
  ephemeral: 'ephemeralContainers',
};

export class Kubelets implements RunningPods, AsyncDisposable {
  readonly #options: KubeletsOptions;
  readonly #queue: WorkQueue<string>;
  /** By uid. */
  readonly #held = new Map<string, Held>();
  readonly #observers = new Map<string, Set<Observer>>();
  readonly #subscription: Disposable;

  constructor(options: KubeletsOptions) {
    this.#options = options;
    const { onError } = options.context;
    this.#queue = new WorkQueue({ work: (key) => this.#sync(key), onError, lanes, pace: new Pace() });
    this.#subscription = options.pods.subscribe((key, now, old) => this.#changed(key, now, old));
  }

  running(uid: string): RunningPod | undefined {
    const held = this.#held.get(uid);
    return held && snapshot(held.key, held.state);
  }

  *all(): Iterable<RunningPod> {
    for (const { key, state } of this.#held.values()) yield snapshot(key, state);
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

  /** A program ends by itself, such as the shell that somebody was attached to. */
  end(uid: string, container: string, exitCode: number): void {
    const held = this.#held.get(uid);
    const pod = held && this.#options.pods.get(held.key);
    const one = held?.state.containers.find(({ name }) => name === container);
    if (!pod || one?.step.is !== 'running') return;
    for (const [spec] of containersOf(pod)) {
      if (spec.name !== container) continue;
      const moment = { now: Date.now(), runtime: this.#runtime(held.state.node), record: () => {} };
      const restarts = !held.state.stopping && shouldRestart(pod, one, spec, exitCode);
      exit(one, exitCode, exitCode === 0 ? 'Completed' : 'Error', restarts, moment);
    }
    this.#queue.add(held.key, held.key);
  }

  /** After a node was started again. */
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
    this.#held.clear();
  }

  #changed(key: string, now: Pod | undefined, old: Pod | undefined): void {
    if (old?.metadata.uid && old.metadata.uid !== now?.metadata.uid) this.#forget(old.metadata.uid);
    if (now && this.#options.hosts.has(now.spec.nodeName ?? '')) this.#queue.add(key, key);
  }

  #forget(uid: string): void {
    const held = this.#held.get(uid);
    if (!held) return;
    this.#held.delete(uid);
    this.#releaseAddress(held.state);
    for (const observer of this.#observers.get(uid) ?? []) observer(undefined);
    this.#observers.delete(uid);
  }

  #releaseAddress({ node, ip }: PodState): void {
    const host = this.#options.hosts.get(node);
    if (ip && ip !== host?.address) host?.addresses.release(ip);
  }

  #runtime(node: string): NodeRuntime {
    const { context, hosts } = this.#options;
    return {
      millis: (seconds, jitter) => context.delays.millis(seconds, jitter),
      images: hosts.get(node)!.images,
      newContainerId: () => hexDigits(64, () => context.delays.random()),
    };
  }

  #hold(pod: Pod, host: NodeHost, now: number): Held {
    const uid = pod.metadata.uid ?? '';
    const known = this.#held.get(uid);
    if (known) return known;
    const state = adoptedPodState(pod, now, this.#runtime(host.name));
    if (state.ip && !state.containers.every(hasEnded)) host.addresses.take(state.ip);
    const held = { key: keyOf(pod), state };
    this.#held.set(uid, held);
    return held;
  }

  async #sync(key: string): Promise<boolean> {
    const pod = this.#options.pods.get(key);
    const host = this.#options.hosts.get(pod?.spec.nodeName ?? '');
    if (!pod || !host || host.isStopped) return true;
    const now = Date.now();
    const held = this.#hold(pod, host, now);
    const { state } = held;
    const hadEnded = state.containers.every(hasEnded);
    const allocate = (): string => (pod.spec.hostNetwork ? host.address : host.addresses.allocate());
    const { events, due } = advance(pod, state, now, this.#runtime(host.name), allocate);
    for (const event of events) this.#record(pod, host, event);
    for (const observer of this.#observers.get(state.uid) ?? []) observer(snapshot(key, state));
    const ended = state.containers.every(hasEnded);
    if (ended && !hadEnded) this.#releaseAddress(state);
    if (due !== undefined) this.#queue.addAfter(key, key, due - now);
    const status = podStatus(pod, state, host.address, now);
    if (!isReported(pod, status)) await this.#report(pod, status);
    if (ended && pod.metadata.deletionTimestamp !== undefined) await this.#remove(pod);
    return true;
  }

  #record(pod: Pod, { name: host }: NodeHost, { type, reason, message, container }: PodEvent): void {
    const { metadata } = pod;
    const kind = container === undefined ? undefined : kindOf(pod, container);
    const fieldPath = kind && `spec.${fieldOf[kind]}{${container}}`;
    const about = { apiVersion: 'v1', kind: 'Pod', metadata, host, ...(fieldPath ? { fieldPath } : {}) };
    this.#options.recorder.event(about, type, reason, message);
  }

  /** The uid keeps it from reaching a pod of the same name that came afterwards. */
  async #report(pod: Pod, status: object): Promise<void> {
    const { client, signal } = this.#options.context;
    const patch = { metadata: { uid: pod.metadata.uid }, status };
    await gone(client.patch(`${podPath(pod)}/status`, 'strategic', patch, signal));
  }

  /** Everything has stopped: nothing of the pod is left but its object. */
  async #remove(pod: Pod): Promise<void> {
    const { client, signal } = this.#options.context;
    const options = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
    await gone(client.delete(podPath(pod), { apiVersion: 'v1', kind: 'DeleteOptions', ...options }, signal));
  }
}

/** From the seed, so that a run can be repeated. */
const hexDigits = (count: number, random: () => number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');

const kindOf = (pod: Pod, container: string) => {
  for (const [{ name }, kind] of containersOf(pod)) if (name === container) return kind;
  return undefined;
};

/** A pod that was removed meanwhile, or replaced by another one, needs nothing any more. */
async function gone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
  }
}
