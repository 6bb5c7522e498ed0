/** What a Pod is if nothing else is said, beside what holds for templates, too. */

import type { KubeObject } from '../../registry/kube-object.ts';
import { defaultPodLevelResources } from './pod-level-resources.ts';
import type { Container, PodSpec } from './pod-spec.ts';
import { defaultPodSpec } from './pod-spec-defaults.ts';

export function defaultPod(pod: KubeObject): void {
  pod['spec'] ??= {};
  const spec = pod['spec'] as PodSpec;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const container of containers) requestLimits(container);
  defaultPodLevelResources(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) for (const container of containers) exposePorts(container);
  defaultPodSpec(spec);
  // Of a negative one kube-apiserver makes the shortest.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (pod['status']) alignAddresses(pod['status'] as Addresses);
}

interface Addresses {
  podIP?: string;
  podIPs?: { ip?: string }[];
}

/** The older field names the first address: what it names is the only one if the newer field does not begin with it. */
function alignAddresses(status: Addresses): void {
  const first = status.podIPs?.[0]?.ip;
  if (status.podIP && status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
  else if (!status.podIP && first) status.podIP = first;
}

/** What is limited is asked for. */
function requestLimits({ resources }: Container): void {
  if (!resources?.limits) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** On the network of its node, a container's ports are the node's. */
function exposePorts({ ports = [] }: Container): void {
  for (const port of ports) if (port.containerPort) port.hostPort ||= port.containerPort;
}
