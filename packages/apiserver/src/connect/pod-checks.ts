/** kube-apiserver's checks of a pod before it contacts a node: the container and the node. */

import { badRequest } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';

interface Container {
  name: string;
  ports?: { containerPort: number }[];
}

interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  nodeName?: string;
}

const specOf = ({ spec }: KubeObject): PodSpec => (spec ?? {}) as PodSpec;

/** The requested container, or the only one. */
export function chosenContainer(pod: KubeObject, asked: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = specOf(pod);
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  const { name } = pod.metadata;
  if (asked !== '') {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  const [only] = containers;
  if (!only) throw badRequest(`a container name must be specified for pod ${name}`);
  if (containers.length === 1) return only.name;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}

export const hasNode = (pod: KubeObject): boolean => Boolean(specOf(pod).nodeName);

export function refuseWithoutNode(pod: KubeObject): void {
  if (!hasNode(pod)) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
}

/** Undefined if none is declared. */
export const firstPort = (pod: KubeObject): number | undefined =>
  specOf(pod).containers?.flatMap(({ ports = [] }) => ports)[0]?.containerPort;
