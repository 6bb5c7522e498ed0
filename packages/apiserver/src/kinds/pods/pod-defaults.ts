/** Defaults of Pods, in addition to those of pod templates. */

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
  // kube-apiserver replaces a negative one by the minimum.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (pod['status']) alignAddresses(pod['status'] as Addresses);
}

interface Addresses {
  podIP?: string;
  podIPs?: { ip?: string }[];
}

/** The older field holds the first address: if the newer field does not begin with it, it replaces the list. */
function alignAddresses(status: Addresses): void {
  const first = status.podIPs?.[0]?.ip;
  if (status.podIP && status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
  else if (!status.podIP && first) status.podIP = first;
}

/** Requests default to limits. */
function requestLimits({ resources }: Container): void {
  if (!resources?.limits) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** On the host network, container ports are host ports. */
function exposePorts({ ports = [] }: Container): void {
  for (const port of ports) if (port.containerPort) port.hostPort ||= port.containerPort;
}
