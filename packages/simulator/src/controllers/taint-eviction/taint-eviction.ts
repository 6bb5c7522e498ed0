/** Deletes pods that do not tolerate a node's NoExecute taints, or no longer do: `pkg/controller/tainteviction`. */

import type { EventRecorder } from '@fleet/client/event-recorder.ts';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterContext } from '../../cluster-context.ts';
import type { Node, Taint } from '../../nodes/node.ts';
import { isPodGone } from '../../pods/is-pod-gone.ts';
import { type Pod, podPath, type Toleration } from '../../pods/pod.ts';
import { isTerminal } from '../../pods/pod-conditions.ts';
import { tolerates } from '../../scheduler/toleration.ts';

/** Seconds until the pod is evicted; Infinity means never. */
export function secondsTolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  const executing = taints.filter(({ effect }) => effect === 'NoExecute');
  let seconds = Number.POSITIVE_INFINITY;
  for (const taint of executing) {
    const tolerating = tolerations.filter((toleration) => tolerates(toleration, taint));
    if (tolerating.length === 0) return 0;
    for (const { tolerationSeconds } of tolerating) {
      if (tolerationSeconds !== undefined) seconds = Math.min(seconds, Math.max(tolerationSeconds, 0));
    }
  }
  return seconds;
}

export interface TaintEvictionOptions {
  context: ClusterContext;
  nodes: Informer<Node>;
  pods: Informer<Pod>;
  recorder: EventRecorder;
}

const message = 'Taint manager: deleting due to NoExecute taint';

export class TaintEviction implements AsyncDisposable {
  readonly #options: TaintEvictionOptions;
  readonly #queue: WorkQueue<string>;
  readonly #subscriptions: Disposable[];
  /** When each pod is evicted; kept until its deletion is seen, as the condition is written before the deletion. */
  readonly #due = new Map<string, number>();

  constructor(options: TaintEvictionOptions) {
    this.#options = options;
    const { nodes, pods, context } = options;
    this.#queue = new WorkQueue({ work: (key) => this.#evict(key), onError: context.onError });
    this.#subscriptions = [
      nodes.subscribe((name, now, old) => {
        if (!hasExecuting(now) && !hasExecuting(old)) return;
        for (const pod of pods.values()) if (pod.spec.nodeName === name) this.#consider(pod);
      }),
      pods.subscribe((key, now) => {
        if (now) this.#consider(now);
        else this.#due.delete(key);
      }),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    await this.#queue[Symbol.asyncDispose]();
  }

  #consider(pod: Pod): void {
    const key = keyOf(pod);
    const node = this.#options.nodes.get(pod.spec.nodeName ?? '');
    const isLeaving = pod.metadata.deletionTimestamp !== undefined || isTerminal(pod);
    const seconds =
      isLeaving || !hasExecuting(node)
        ? Number.POSITIVE_INFINITY
        : secondsTolerated(node?.spec.taints ?? [], pod.spec.tolerations ?? []);
    if (!Number.isFinite(seconds)) {
      this.#due.delete(key);
      return;
    }
    if (this.#due.has(key)) return;
    const millis = this.#options.context.delays.millis(seconds);
    this.#due.set(key, Date.now() + millis);
    this.#queue.addAfter(key, key, millis);
  }

  async #evict(key: string): Promise<boolean> {
    const { context, pods, recorder } = this.#options;
    const pod = pods.get(key);
    const due = this.#due.get(key);
    // It is tolerated again.
    if (!pod || pod.metadata.deletionTimestamp || due === undefined) return true;
    if (due > Date.now()) {
      this.#queue.addAfter(key, key, due - Date.now());
      return true;
    }
    const text = `Marking for deletion Pod ${key}`;
    recorder.event({ apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata }, 'Normal', 'TaintManagerEviction', text);
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message,
      lastTransitionTime: timeText(Date.now()),
      ...(pod.metadata.generation ? { observedGeneration: pod.metadata.generation } : {}),
    };
    const patch = { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } };
    try {
      await context.client.patch(`${podPath(pod)}/status`, 'strategic', patch, context.signal);
      await context.client.delete(podPath(pod), { preconditions: { uid: pod.metadata.uid } }, context.signal);
    } catch (error) {
      if (!isPodGone(error)) throw error;
      this.#due.delete(key);
    }
    return true;
  }
}

const hasExecuting = (node: Node | undefined): boolean =>
  node?.spec.taints?.some(({ effect }) => effect === 'NoExecute') ?? false;
