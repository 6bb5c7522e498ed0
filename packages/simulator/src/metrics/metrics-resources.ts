/** The metrics of nodes and pods, computed from the pods when they are read. */

import type { ComputedResource } from '@fleet/apiserver/http/computed-resource.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { notFound } from '@fleet/kube/status.ts';
import { type Clock, realClock } from '../clock.ts';
import type { ClusterContext } from '../cluster-context.ts';
import { hashOf } from '../noise.ts';
import { containerStates, isRunning, type RunningPodSource } from '../pods/container-state.ts';
import { asPod, containersOf, type Pod } from '../pods/pod.ts';
import { nodeMetrics, nodeMetricsKind, podMetrics, podMetricsKind } from './metrics-kinds.ts';
import { sumOf, type Usage, usageOf } from './usage.ts';

export interface MetricsOptions {
  /** Its client is used when metrics are read: it may be one of the server that these resources are given to. */
  context: Pick<ClusterContext, 'name' | 'client'>;
  nodes?: RunningPodSource | undefined;
  clock?: Clock | undefined;
  seed?: number | undefined;
}

interface ContainerUsage {
  name: string;
  usage: Usage;
}

export function metricsResources(options: MetricsOptions): ComputedResource[] {
  const { context, nodes, clock = realClock, seed = 1 } = options;

  const pods = async (namespace?: string, query = '') => {
    const place = namespace === undefined ? '' : `namespaces/${namespace}/`;
    return (await context.client.list<KubeObject>(`/api/v1/${place}pods${query}`)).items.map(asPod);
  };

  const containersUsage = (pod: Pod, now: number): ContainerUsage[] => {
    if (pod.status?.phase !== 'Running') return [];
    const specs = new Map(containersOf(pod).map((spec) => [spec.name, spec]));
    return containerStates(pod, nodes)
      .filter(isRunning)
      .map(({ name, current }) => {
        const own = hashOf(`${context.name}/${seed}/${pod.metadata.uid}/${name}`);
        return { name, usage: usageOf(specs.get(name)!, own, current!.startedAt, now) };
      });
  };

  const ofNode = (node: KubeObject, own: readonly Pod[], now: number) =>
    nodeMetrics(node, sumOf(own.flatMap((pod) => containersUsage(pod, now)).map(({ usage }) => usage)), now);

  const podResource: ComputedResource = {
    kind: podMetricsKind,
    async list(namespace) {
      const now = clock.now();
      return (await pods(namespace)).flatMap((pod) => {
        const containers = containersUsage(pod, now);
        return containers.length === 0 ? [] : [podMetrics(pod, containers, now)];
      });
    },
    async get(name, namespace) {
      const now = clock.now();
      const pod = asPod(await context.client.get<KubeObject>(`/api/v1/namespaces/${namespace}/pods/${name}`));
      const containers = containersUsage(pod, now);
      if (containers.length === 0) throw notFound(podMetricsKind, `${namespace}/${name}`);
      return podMetrics(pod, containers, now);
    },
  };

  const nodeResource: ComputedResource = {
    kind: nodeMetricsKind,
    async list() {
      const now = clock.now();
      const byNode = Map.groupBy(await pods(), ({ spec }) => spec.nodeName);
      const { items } = await context.client.list<KubeObject>('/api/v1/nodes');
      return items.filter(isUp).map((node) => ofNode(node, byNode.get(node.metadata.name!) ?? [], now));
    },
    async get(name) {
      const now = clock.now();
      const node = await context.client.get<KubeObject>(`/api/v1/nodes/${name}`);
      if (!isUp(node)) throw notFound(nodeMetricsKind, name);
      return ofNode(node, await pods(undefined, `?fieldSelector=spec.nodeName%3D${name}`), now);
    },
  };
  return [nodeResource, podResource];
}

/** Nothing is known of a node that does not report. */
function isUp({ status }: KubeObject): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.every(({ type, status: is }) => type !== 'Ready' || is === 'True');
}
