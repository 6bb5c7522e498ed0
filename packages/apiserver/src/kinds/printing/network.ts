/** The Table cells of IPAddresses and ServiceCIDRs, and helpers for Ingresses and Services. */

import { cellsOf, type KindCells, none } from './cells.ts';

export interface LoadBalancer {
  ingress?: { ip?: string; hostname?: string }[];
}

/** The distinct addresses of a load balancer. */
export const addressesOf = ({ ingress = [] }: LoadBalancer = {}): string[] =>
  [...new Set(ingress.map(({ ip, hostname }) => ip || hostname || '').filter(Boolean))].sort();

interface IpAddress {
  spec?: { parentRef?: { group?: string; resource?: string; namespace?: string; name?: string } };
}

const ipAddresses = cellsOf<IpAddress>('networking.k8s.io/ipaddresses', {
  ParentRef: ({ spec }) => {
    if (!spec?.parentRef) return none;
    const { group, resource = '', namespace, name = '' } = spec.parentRef;
    const kind = (group ? `${resource}.${group}` : resource).toLowerCase();
    return [kind, ...(namespace ? [namespace] : []), name].join('/');
  },
});

const serviceCidrs = cellsOf<{ spec?: { cidrs?: string[] } }>('networking.k8s.io/servicecidrs', {
  CIDRs: ({ spec }) => (spec?.cidrs ?? []).join(','),
});

export const networkCells: readonly KindCells[] = [ipAddresses, serviceCidrs];
