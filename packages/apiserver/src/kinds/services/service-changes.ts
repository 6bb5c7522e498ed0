/** The side effects of a change of a Service: fields of its old type are dropped, and allocated values are kept. */

import type { KubeObject } from '../../registry/kube-object.ts';
import { nodePortsOf } from './allocate.ts';
import {
  allocatesNodePorts,
  hasNodePorts,
  isExternal,
  isSameList,
  needsClusterIp,
  needsHealthCheck,
  type ServicePort,
  type ServiceSpec,
  serviceSpecOf,
} from './service-spec.ts';

/** The form in which kube-apiserver shows a stored Service: no internal traffic policy for ExternalName, and lists of addresses. */
export function finishService(service: KubeObject): void {
  const spec = serviceSpecOf(service);
  if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
}

/** Only unchanged fields are dropped with the old type: changed ones are refused if they do not fit. */
export function prepareServiceUpdate(service: KubeObject, old: KubeObject, subresource: string | undefined): void {
  if (subresource) return;
  const [spec, before] = [serviceSpecOf(service), serviceSpecOf(old)];
  if (needsClusterIp(before) && !needsClusterIp(spec)) dropAddresses(spec, before);
  const standing = new Set(nodePortsOf(before));
  const isNothingNew = nodePortsOf(spec).every((port) => standing.has(port));
  if (hasNodePorts(before) && !hasNodePorts(spec) && isNothingNew)
    for (const port of spec.ports ?? []) delete port.nodePort;
  if (
    needsHealthCheck(before) &&
    !needsHealthCheck(spec) &&
    (before.healthCheckNodePort ?? 0) === (spec.healthCheckNodePort ?? 0)
  )
    delete spec.healthCheckNodePort;
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === before.allocateLoadBalancerNodePorts)
      delete spec.allocateLoadBalancerNodePorts;
    if (spec.loadBalancerClass === before.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (isExternal(before) && !isExternal(spec) && spec.externalTrafficPolicy === before.externalTrafficPolicy)
    delete spec.externalTrafficPolicy;
  if (spec.type !== 'LoadBalancer') {
    service['status'] = { ...(service['status'] as object | undefined), loadBalancer: {} };
  }
}

function dropAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  if ((spec.clusterIP ?? '') === (before.clusterIP ?? '') && isSameList(spec.clusterIPs, before.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (isSameList(spec.ipFamilies, before.ipFamilies)) delete spec.ipFamilies;
  if (spec.ipFamilyPolicy === before.ipFamilyPolicy) delete spec.ipFamilyPolicy;
}

/** A client that sends the same manifest again keeps the values that were allocated. */
export function keepAllocated(spec: ServiceSpec, before: ServiceSpec): void {
  if (needsClusterIp(before) && needsClusterIp(spec)) {
    if (!spec.clusterIP && before.clusterIP) spec.clusterIP = before.clusterIP;
    if (!spec.clusterIPs?.length && before.clusterIPs?.length) spec.clusterIPs = [...before.clusterIPs];
  }
  if (allocatesNodePorts(before) && allocatesNodePorts(spec)) keepNodePorts(spec.ports ?? [], before.ports ?? []);
  if (needsHealthCheck(before) && needsHealthCheck(spec) && !spec.healthCheckNodePort && before.healthCheckNodePort)
    spec.healthCheckNodePort = before.healthCheckNodePort;
}

function keepNodePorts(ports: readonly ServicePort[], before: readonly ServicePort[]): void {
  const used = new Set(ports.flatMap(({ nodePort }) => nodePort || []));
  const byName = new Map(before.map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of ports) {
    const known = byName.get(port.name ?? '');
    if (!port.nodePort && known && !used.has(known)) port.nodePort = known;
  }
}

/** The older field has one address, the newer one all: writing one changes both. */
export function alignClusterIps(spec: ServiceSpec, before: ServiceSpec | undefined): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (!before) {
    if (clusterIP && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const standing = before.clusterIP ?? '';
  if ((before.clusterIPs ?? []).length > 0 && clusterIPs.length === 0 && standing === clusterIP)
    spec.clusterIPs = [...before.clusterIPs!];
  if (standing === clusterIP || !isSameList(spec.clusterIPs, before.clusterIPs)) return;
  if (standing && !clusterIP) delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}
