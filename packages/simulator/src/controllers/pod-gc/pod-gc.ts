/** The pod garbage collector: removes pods that no kubelet will remove. `pkg/controller/podgc`. */

import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterContext } from '../../cluster-context.ts';
import type { Node } from '../../nodes/node.ts';
import { isPodGone } from '../../pods/is-pod-gone.ts';
import { type Pod, podPath } from '../../pods/pod.ts';
import { isTerminal } from '../../pods/pod-conditions.ts';
import { byRemoval, type Fault, faultOf, isOutOfService } from './unwanted-pods.ts';

/** The interval in Kubernetes. */
const checkSeconds = 20;
/** How long a missing node may come back. */
const quarantineSeconds = 40;
/** `--terminated-pod-gc-threshold`. */
const mostEnded = 12_500;
/** Cannot be the key of a pod, as those have a namespace. */
const endedKey = 'ended';

export interface PodGcOptions {
  context: ClusterContext;
  nodes: Informer<Node>;
  pods: Informer<Pod>;
  /** How many ended pods are kept. */
  mostEnded?: number;
}

export class PodGc implements AsyncDisposable {
  readonly #options: PodGcOptions;
  readonly #queue: WorkQueue<string>;
  readonly #subscriptions: Disposable[];
  /** The keys of ended pods. */
  readonly #ended = new Set<string>();

  constructor(options: PodGcOptions) {
    this.#options = options;
    const { nodes, pods, context } = options;
    const work = (key: string): Promise<boolean> => (key === endedKey ? this.#removeEnded() : this.#remove(key));
    this.#queue = new WorkQueue({ work, onError: context.onError });
    this.#subscriptions = [
      nodes.subscribe((name, now) => {
        if (now && !isOutOfService(now)) return;
        for (const pod of pods.values()) if (pod.spec.nodeName === name) this.#consider(pod);
      }),
      pods.subscribe((key, now) => {
        this.#countEnded(key, now);
        if (now) this.#consider(now);
      }),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    await this.#queue[Symbol.asyncDispose]();
  }

  get #mostEnded(): number {
    return this.#options.mostEnded ?? mostEnded;
  }

  #countEnded(key: string, now: Pod | undefined): void {
    if (now && isTerminal(now)) this.#ended.add(key);
    else this.#ended.delete(key);
    if (this.#ended.size > this.#mostEnded) this.#addAfter(endedKey, checkSeconds);
  }

  #faultOf(pod: Pod): Fault | undefined {
    return faultOf(pod, this.#options.nodes.get(pod.spec.nodeName ?? ''));
  }

  #consider(pod: Pod): void {
    const fault = this.#faultOf(pod);
    if (fault) this.#addAfter(keyOf(pod), fault === 'orphaned' ? quarantineSeconds : checkSeconds);
  }

  #addAfter(key: string, seconds: number): void {
    this.#queue.addAfter(key, key, this.#options.context.delays.millis(seconds));
  }

  async #remove(key: string): Promise<boolean> {
    const { context, pods } = this.#options;
    const { client, signal } = context;
    const pod = pods.get(key);
    const fault = pod && this.#faultOf(pod);
    if (!fault) return true;
    if (fault === 'orphaned' && (await this.#isNodeThere(pod))) return true;
    const { uid, generation } = pod.metadata;
    const observed = generation ? { observedGeneration: generation } : {};
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
      lastTransitionTime: timeText(Date.now()),
      ...observed,
    };
    const status = { phase: 'Failed', ...observed, ...(fault === 'orphaned' ? { conditions: [condition] } : {}) };
    await gone(async () => {
      if (!isTerminal(pod))
        await client.patch(`${podPath(pod)}/status`, 'strategic', { metadata: { uid }, status }, signal);
      await this.#delete(pod);
    });
    return true;
  }

  /** It may have been created, and its event may not have arrived here yet. */
  async #isNodeThere({ spec }: Pod): Promise<boolean> {
    const { client, signal } = this.#options.context;
    try {
      await client.get(`/api/v1/nodes/${spec.nodeName}`, signal);
      return true;
    } catch (error) {
      if (isStatus(error, 404)) return false;
      throw error;
    }
  }

  /** Removes ended pods in excess of the limit. */
  async #removeEnded(): Promise<boolean> {
    const ended = [...this.#ended].map((key) => this.#options.pods.get(key)).filter((pod) => pod !== undefined);
    const excess = ended.sort(byRemoval).slice(0, Math.max(0, ended.length - this.#mostEnded));
    for (const pod of excess) await gone(() => this.#delete(pod));
    return true;
  }

  async #delete(pod: Pod): Promise<void> {
    const { client, signal } = this.#options.context;
    const { uid, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    // Only finalizers keep it.
    if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0) return;
    await client.delete(podPath(pod), { gracePeriodSeconds: 0, preconditions: { uid } }, signal);
  }
}

/** A pod that was deleted or replaced meanwhile needs nothing any more. */
async function gone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPodGone(error)) throw error;
  }
}
