/** Removes pods of nodes that are gone: `pkg/controller/podgc`. */

import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import type { ClusterContext } from '../cluster-context.ts';
import { isTerminal, type Pod, podPath } from '../pod.ts';
import { timeText } from './container-status.ts';
import type { Node } from './node.ts';

/** A node may come again. */
const quarantineSeconds = 40;

export interface OrphanedPodsOptions {
  context: ClusterContext;
  nodes: Informer<Node>;
  pods: Informer<Pod>;
}

export class OrphanedPods implements AsyncDisposable {
  readonly #options: OrphanedPodsOptions;
  readonly #queue: WorkQueue<string>;
  readonly #subscriptions: Disposable[];

  constructor(options: OrphanedPodsOptions) {
    this.#options = options;
    const { nodes, pods, context } = options;
    this.#queue = new WorkQueue({ work: (key) => this.#remove(key), onError: context.onError });
    this.#subscriptions = [
      nodes.subscribe((name, now) => {
        if (now) return;
        for (const pod of pods.values()) if (pod.spec.nodeName === name) this.#consider(pod);
      }),
      pods.subscribe((_key, now) => {
        if (now) this.#consider(now);
      }),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    await this.#queue[Symbol.asyncDispose]();
  }

  #isOrphaned({ spec }: Pod): boolean {
    return Boolean(spec.nodeName) && !this.#options.nodes.get(spec.nodeName!);
  }

  #consider(pod: Pod): void {
    if (!this.#isOrphaned(pod)) return;
    this.#queue.addAfter(keyOf(pod), keyOf(pod), this.#options.context.delays.millis(quarantineSeconds));
  }

  async #remove(key: string): Promise<boolean> {
    const { context, pods } = this.#options;
    const { client, signal } = context;
    const pod = pods.get(key);
    if (!pod || !this.#isOrphaned(pod)) return true;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
      lastTransitionTime: timeText(Date.now()),
    };
    const { uid } = pod.metadata;
    const status = { phase: 'Failed', conditions: [condition] };
    try {
      if (!isTerminal(pod))
        await client.patch(`${podPath(pod)}/status`, 'strategic', { metadata: { uid }, status }, signal);
      await client.delete(podPath(pod), { gracePeriodSeconds: 0, preconditions: { uid } }, signal);
    } catch (error) {
      if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
    }
    return true;
  }
}
