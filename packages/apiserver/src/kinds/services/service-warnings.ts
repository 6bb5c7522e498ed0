/** Warnings for the author of a Service (`api/service/warnings.go`). */

import type { KubeObject } from '../../registry/kube-object.ts';
import { ipRangeWarnings, ipWarnings } from '../rules/ip-rules.ts';
import { type LoadBalancer, noAddress, serviceSpecOf } from './service-spec.ts';

const hintsKey = 'service.kubernetes.io/topology-aware-hints';

const addressWarnings = (list: readonly string[], at: string): string[] =>
  list.flatMap((ip, index) => ipWarnings(ip, `${at}[${index}]`));

export function serviceWarnings(service: KubeObject, _old: KubeObject | undefined, subresource?: string): string[] {
  if (subresource === 'status') return statusWarnings(service);
  const spec = serviceSpecOf(service);
  const { type, clusterIPs = [], externalIPs = [], externalName, loadBalancerIP = '' } = spec;
  const isHeadless = type === 'ClusterIP' && spec.clusterIP === noAddress;
  const isNamed = type === 'ExternalName';
  const hasAddresses = externalIPs.length > 0;
  return [
    ...(service.metadata.annotations?.[hintsKey] === undefined
      ? []
      : [`annotation ${hintsKey} is deprecated, please use service.kubernetes.io/topology-mode instead`]),
    ...addressWarnings(clusterIPs, 'spec.clusterIPs'),
    ...(isHeadless && loadBalancerIP ? ['spec.loadBalancerIP is ignored for headless services'] : []),
    ...(isHeadless && hasAddresses ? ['spec.externalIPs is ignored for headless services'] : []),
    ...(isHeadless && spec.sessionAffinity !== 'None' ? ['spec.SessionAffinity is ignored for headless services'] : []),
    ...addressWarnings(externalIPs, 'spec.externalIPs'),
    ...(hasAddresses && !isHeadless && !isNamed
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...ipWarnings(loadBalancerIP, 'spec.loadBalancerIP'),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, index) =>
      ipRangeWarnings(range, `spec.loadBalancerSourceRanges[${index}]`),
    ),
    ...(isNamed && hasAddresses ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isNamed && externalName ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : []),
    ...(spec.trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function statusWarnings({ status }: KubeObject): string[] {
  const { loadBalancer } = (status ?? {}) as { loadBalancer?: LoadBalancer };
  return addressWarnings(
    (loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip),
    'status.loadBalancer.ingress',
  );
}
