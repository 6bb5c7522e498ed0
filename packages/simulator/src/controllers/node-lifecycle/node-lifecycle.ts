/**
 * The node lifecycle controller of kube-controller-manager: taints nodes by their conditions, and marks nodes whose kubelet is
 * silent. `pkg/controller/nodelifecycle`.
 */

import type { EventRecorder } from '@fleet/client/event-recorder.ts';
import type { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterContext } from '../../cluster-context.ts';
import type { Node, NodeCondition, Taint } from '../../nodes/node.ts';
import { isPodGone } from '../../pods/is-pod-gone.ts';
import { type Pod, podPath } from '../../pods/pod.ts';

const unschedulable = 'node.kubernetes.io/unschedulable';
const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const managed = new Set([unschedulable, notReady, unreachable]);

const readyStatus = ({ status }: Node): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** The desired taints of a node; those of other components are kept. Undefined if it has them already. */
export function nodeTaints(node: Node, now: number): Taint[] | undefined {
  const ready = readyStatus(node);
  const silent = ready === 'True' ? undefined : ready === 'Unknown' ? unreachable : notReady;
  const expected: Taint[] = [
    ...(node.spec.unschedulable ? [{ key: unschedulable, effect: 'NoSchedule' }] : []),
    ...(silent ? ['NoSchedule', 'NoExecute'].map((effect) => ({ key: silent, effect })) : []),
  ];
  const current = node.spec.taints ?? [];
  const isSame = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
  const kept = current.filter((taint) => !managed.has(taint.key) || expected.some(isSame(taint)));
  const added = expected.filter((taint) => !current.some(isSame(taint)));
  if (kept.length === current.length && added.length === 0) return undefined;
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: timeText(now) }))];
}

/** The conditions of a node whose kubelet posts no status. */
export function silentConditions(before: readonly NodeCondition[], now: number): NodeCondition[] {
  return before.map((condition) =>
    condition.status === 'Unknown'
      ? condition
      : {
          ...condition,
          status: 'Unknown',
          lastTransitionTime: timeText(now),
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
        },
  );
}

export interface NodeLifecycleOptions {
  context: ClusterContext;
  nodes: Informer<Node>;
  pods: Informer<Pod>;
  recorder: EventRecorder;
}

export class NodeLifecycle implements AsyncDisposable {
  readonly #options: NodeLifecycleOptions;
  readonly #queue: WorkQueue<string>;
  readonly #subscription: Disposable;

  constructor(options: NodeLifecycleOptions) {
    this.#options = options;
    const { onError } = options.context;
    this.#queue = new WorkQueue({ work: (name) => this.#sync(name), onError });
    this.#subscription = options.nodes.subscribe((name, now) => {
      if (now && nodeTaints(now, 0)) this.#queue.add(name, name);
    });
  }

  /** Its kubelet has been silent for longer than the grace period. */
  async markSilent(name: string): Promise<void> {
    const { context, nodes, pods, recorder } = this.#options;
    const node = nodes.get(name);
    if (!node) return;
    const conditions = silentConditions(node.status?.conditions ?? [], Date.now());
    await patchNode(context.client, name, '/status', { status: { conditions } }, context.signal);
    const { uid } = node.metadata;
    const about = { apiVersion: 'v1', kind: 'Node', metadata: { name, ...(uid ? { uid } : {}) } };
    recorder.event(about, 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    for (const pod of pods.values()) if (pod.spec.nodeName === name) await this.#markPod(pod);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    await this.#queue[Symbol.asyncDispose]();
  }

  async #sync(name: string): Promise<boolean> {
    const { context, nodes } = this.#options;
    const node = nodes.get(name);
    const taints = node && nodeTaints(node, Date.now());
    if (!taints) return true;
    // The resource version protects taints that somebody sets at the same moment.
    const { resourceVersion } = node.metadata;
    await patchNode(context.client, name, '', { metadata: { resourceVersion }, spec: { taints } }, context.signal);
    return true;
  }

  /** Whether it still serves is unknown. */
  async #markPod(pod: Pod): Promise<void> {
    const { context, recorder } = this.#options;
    const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') return;
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: timeText(Date.now()) };
    const patch = { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } };
    try {
      await context.client.patch(`${podPath(pod)}/status`, 'strategic', patch, context.signal);
    } catch (error) {
      if (!isPodGone(error)) throw error;
    }
    recorder.event(
      { apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata },
      'Warning',
      'NodeNotReady',
      'Node is not ready',
    );
  }
}

async function patchNode(
  client: KubeClient,
  name: string,
  subresource: string,
  patch: object,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.patch(`/api/v1/nodes/${name}${subresource}`, 'merge', patch, signal);
  } catch (error) {
    // Changed or deleted meanwhile: its next event queues it again.
    if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
  }
}
