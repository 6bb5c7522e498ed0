/** Defaults of Services (`core/v1/defaults.go`). */

import type { KubeObject } from '../../registry/kube-object.ts';
import { isExternal, type LoadBalancer, type ServiceSpec, serviceSpecOf } from './service-spec.ts';

const threeHours = 10_800;

export function defaultService(service: KubeObject): void {
  const spec = serviceSpecOf(service);
  defaultAffinity(spec);
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isExternal(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (['NodePort', 'LoadBalancer', 'ClusterIP'].includes(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') {
    spec.allocateLoadBalancerNodePorts ??= true;
    const { loadBalancer } = (service['status'] ?? {}) as { loadBalancer?: LoadBalancer };
    for (const ingress of loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}

function defaultAffinity(spec: ServiceSpec): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  const isTimeless = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined;
  if (spec.sessionAffinity === 'ClientIP' && isTimeless)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: threeHours } };
}
