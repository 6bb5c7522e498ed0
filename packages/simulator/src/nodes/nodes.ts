/** The nodes of a simulated cluster: their objects, their kubelets, and the handling of silent nodes. */

import { EventRecorder } from '@fleet/client/event-recorder.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { ClusterContext } from '../cluster-context.ts';
import { NodeLifecycle, nodeTaints } from '../controllers/node-lifecycle/node-lifecycle.ts';
import { PodGc } from '../controllers/pod-gc/pod-gc.ts';
import { TaintEviction } from '../controllers/taint-eviction/taint-eviction.ts';
import type { Pod } from '../pods/pod.ts';
import { eventTexts } from './kubelet-texts.ts';
import { type KubeletState, Kubelets } from './kubelets.ts';
import { type Node, type NodeSize, newNode, postedConditions } from './node.ts';
import { nodeAddress, PodAddresses } from './pod-addresses.ts';
import type { RunningPods } from './running-pod.ts';

export interface NodesOptions extends Partial<NodeSize> {
  count: number;
  region?: string | undefined;
  /** The zone of all nodes; by default, three zones of the region in turn. */
  zone?: string | undefined;
  /** Set on every node. */
  labels?: Record<string, string> | undefined;
}

export interface Nodes extends RunningPods, AsyncDisposable {
  readonly names: readonly string[];
  /** Its kubelet becomes silent: pods keep their state, and are evicted when their tolerations end. */
  stopNode(name: string): void;
  startNode(name: string): Promise<void>;
  /** A program ends by itself, such as the shell of an attached client. */
  end(uid: string, container: string, exitCode: number): void;
}

/**
 * Real kubelets renew their lease every 10 seconds and post their status every 5 minutes. Nothing reads the leases of simulated
 * nodes (a silent node is one that `stopNode` stopped), so both are written every 5 minutes.
 */
const heartbeatSeconds = 300;
const leaseDurationSeconds = 40;
/** `pkg/controller/nodelifecycle/config/v1alpha1/defaults.go`. */
const graceSeconds = 50;

const zones = ['a', 'b', 'c'];

export async function startNodes(context: ClusterContext, options: NodesOptions): Promise<Nodes> {
  const own = new AsyncDisposableStack();
  try {
    return await start(context, options, own);
  } catch (error) {
    await own.disposeAsync();
    throw error;
  }
}

async function start(context: ClusterContext, options: NodesOptions, own: AsyncDisposableStack): Promise<Nodes> {
  const { client, delays, onError, signal } = context;
  const size: NodeSize = { cpu: options.cpu ?? '8', memory: options.memory ?? '32Gi', pods: options.pods ?? 110 };
  const hosts = new Map<string, KubeletState>();
  for (let index = 0; index < options.count; index++) {
    const name = `${context.name}-node-${index + 1}`;
    const addresses = new PodAddresses(index, size.pods);
    const kept = { images: new Set<string>(), files: new Set<string>() };
    hosts.set(name, { name, address: nodeAddress(index), addresses, ...kept, isStopped: false });
  }
  const region = options.region ?? 'local';
  const recorder = own.use(new EventRecorder({ client, component: 'kubelet', onError }));
  await Promise.all(
    Array.from(hosts.values(), async (host, index) => {
      const zone = options.zone ?? `${region}-${zones[index % zones.length]}`;
      const place = { name: host.name, address: host.address, podCidr: host.addresses.cidr, region, zone };
      const node = newNode({ ...place, version: context.version, labels: options.labels ?? {} }, size, Date.now());
      await register(client, node, signal);
      record(recorder, host.name, eventTexts.starting());
    }),
  );

  const informers = context.informers ?? own.use(new SharedInformers({ client, onError }));
  const pods = informers.of<Pod>('/api/v1/pods');
  const nodes = informers.of<Node>('/api/v1/nodes');
  await Promise.all([pods.synced, nodes.synced]);
  const nodeRecorder = own.use(new EventRecorder({ client, component: 'node-controller', onError }));
  const lifecycle = own.use(new NodeLifecycle({ context, nodes, pods, recorder: nodeRecorder }));
  // A new node is tainted until it is ready, which must not refuse pods.
  const isSettled = (name: string): boolean => {
    const node = nodes.get(name);
    return node !== undefined && nodeTaints(node, 0) === undefined;
  };
  await nodes.until(() => hosts.keys().every(isSettled), signal);
  const evictionRecorder = own.use(new EventRecorder({ client, component: 'taint-eviction-controller', onError }));
  own.use(new TaintEviction({ context, nodes, pods, recorder: evictionRecorder }));
  own.use(new PodGc({ context, nodes, pods }));
  const kubelets = own.use(new Kubelets({ context, pods, hosts, recorder }));

  const silenced = new Map<string, NodeJS.Timeout>();
  const beat = async (): Promise<void> => {
    for (const { name, isStopped } of hosts.values())
      if (!isStopped) await heartbeat(client, name, nodes.get(name), signal);
  };
  const failed = (error: unknown): void => {
    if (!signal.aborted) onError(error);
  };
  // Nothing waits for leases.
  const leasing = Promise.all(hosts.keys().map((name) => renewLease(client, name, Date.now(), signal))).catch(failed);
  const heart = setInterval(() => void beat().catch(failed), delays.millis(heartbeatSeconds)).unref();
  own.defer(async () => {
    clearInterval(heart);
    for (const timer of silenced.values()) clearTimeout(timer);
    await leasing;
  });

  const hostOf = (name: string): KubeletState => {
    const host = hosts.get(name);
    if (!host) throw new RangeError(`no node ${name}`);
    return host;
  };
  return {
    names: [...hosts.keys()],
    running: (uid) => kubelets.running(uid),
    observe: (uid, changed) => kubelets.observe(uid, changed),
    all: () => kubelets.all(),
    end: (uid, container, exitCode) => kubelets.end(uid, container, exitCode),
    stopNode(name) {
      hostOf(name).isStopped = true;
      clearTimeout(silenced.get(name));
      const mark = (): void => void lifecycle.markSilent(name).catch(failed);
      silenced.set(name, setTimeout(mark, delays.millis(graceSeconds)).unref());
    },
    async startNode(name) {
      hostOf(name).isStopped = false;
      clearTimeout(silenced.get(name));
      record(recorder, name, eventTexts.starting());
      await heartbeat(client, name, nodes.get(name), signal);
      record(recorder, name, eventTexts.nodeStatus(name, 'NodeReady'));
      kubelets.resume(name);
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}

/** An existing node keeps the changes made to it: labels, taints, cordons. */
async function register(client: KubeClient, node: Node, signal: AbortSignal): Promise<void> {
  try {
    const created = await client.create<Node>('/api/v1/nodes', node, signal);
    if (created.status?.conditions?.length) return;
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
  }
  await client.patch(`/api/v1/nodes/${node.metadata.name}/status`, 'merge', { status: node.status }, signal);
}

function record(recorder: EventRecorder, name: string, text: ReturnType<typeof eventTexts.starting>): void {
  // Kubelets do not know the uid of their node: they write its name.
  const about = { apiVersion: '', kind: 'Node', metadata: { name, uid: name }, host: name };
  recorder.event(about, text.type, text.reason, text.message);
}

async function heartbeat(client: KubeClient, name: string, node: Node | undefined, signal: AbortSignal): Promise<void> {
  const now = Date.now();
  const conditions = postedConditions(node?.status?.conditions ?? [], now);
  try {
    await client.patch(`/api/v1/nodes/${name}/status`, 'strategic', { status: { conditions } }, signal);
  } catch (error) {
    // Somebody deleted the node: a kubelet registers again only after a restart.
    if (!isStatus(error, 404)) throw error;
    return;
  }
  await renewLease(client, name, now, signal);
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

async function renewLease(client: KubeClient, name: string, now: number, signal: AbortSignal): Promise<void> {
  const renewTime = `${timeText(now).slice(0, -1)}.000000Z`;
  const spec = { holderIdentity: name, leaseDurationSeconds, renewTime };
  try {
    await client.patch(`${leases}/${name}`, 'merge', { spec }, signal);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
    await client.create(leases, lease, signal);
  }
}
