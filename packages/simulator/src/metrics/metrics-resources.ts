/** The metrics of nodes and pods, computed from the pods on each read. */

import type { ComputedResource } from '@fleet/apiserver/http/computed-resource.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { notFound } from '@fleet/kube/status.ts';
import { realClock } from '../clock.ts';
import type { ConnectorDependencies } from '../connector-dependencies.ts';
import { hashOf } from '../noise.ts';
import { pathSegment } from '../path-segment.ts';
import { isRunning, observedContainers } from '../pods/observed-container.ts';
import { asPod, containersOf, type Pod } from '../pods/pod.ts';
import { nodeMetrics, nodeMetricsKind, podMetrics, podMetricsKind } from './metrics-kinds.ts';
import { sumOf, type Usage, usageOf } from './usage.ts';

interface ContainerUsage {
  name: string;
  usage: Usage;
}

export function metricsResources(dependencies: ConnectorDependencies): ComputedResource[] {
  const { clock = realClock, seed = 1 } = dependencies;

  const pods = async (namespace?: string, query = '') => {
    const place = namespace === undefined ? '' : `namespaces/${pathSegment(namespace)}/`;
    return (await dependencies.client().list<KubeObject>(`/api/v1/${place}pods${query}`)).items.map(asPod);
  };

  const containersUsage = (pod: Pod, now: number): ContainerUsage[] => {
    if (pod.status?.phase !== 'Running') return [];
    const specs = new Map(containersOf(pod).map((spec) => [spec.name, spec]));
    return observedContainers(pod, dependencies.nodes?.())
      .filter(isRunning)
      .map(({ name, current }) => {
        const own = hashOf(`${dependencies.name}/${seed}/${pod.metadata.uid}/${name}`);
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
      const path = `/api/v1/namespaces/${pathSegment(namespace!)}/pods/${pathSegment(name)}`;
      const pod = asPod(await dependencies.client().get<KubeObject>(path));
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
      const { items } = await dependencies.client().list<KubeObject>('/api/v1/nodes');
      return items.filter(isUp).map((node) => ofNode(node, byNode.get(node.metadata.name!) ?? [], now));
    },
    async get(name) {
      const now = clock.now();
      const node = await dependencies.client().get<KubeObject>(`/api/v1/nodes/${pathSegment(name)}`);
      if (!isUp(node)) throw notFound(nodeMetricsKind, name);
      return ofNode(node, await pods(undefined, `?fieldSelector=spec.nodeName%3D${pathSegment(name)}`), now);
    },
  };
  return [nodeResource, podResource];
}

/** A node that does not report has no metrics. */
function isUp({ status }: KubeObject): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.every(({ type, status: is }) => type !== 'Ready' || is === 'True');
}
