/** What whoever writes a Service is warned of (`api/service/warnings.go`). */

import type { KubeObject } from '../../registry/kube-object.ts';
import { noAddress, serviceSpecOf } from './service-spec.ts';

export function serviceWarnings(service: KubeObject, _old: KubeObject | undefined, subresource?: string): string[] {
  if (subresource) return [];
  const spec = serviceSpecOf(service);
  const { type, externalIPs = [], externalName } = spec;
  const isHeadless = type === 'ClusterIP' && spec.clusterIP === noAddress;
  const isNamed = type === 'ExternalName';
  const hasAddresses = externalIPs.length > 0;
  return [
    ...(isHeadless && hasAddresses ? ['spec.externalIPs is ignored for headless services'] : []),
    ...(isHeadless && spec.sessionAffinity !== 'None' ? ['spec.SessionAffinity is ignored for headless services'] : []),
    ...(hasAddresses && !isHeadless && !isNamed
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(isNamed && hasAddresses ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isNamed && externalName ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : []),
    ...(spec.trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}
