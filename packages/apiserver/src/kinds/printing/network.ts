import type { SelectorObject } from '../../selectors/selector-object.ts';
import { cellsOf, type KindCells, none, someOf, unknown, unset } from './cells.ts';
import { labelsText, selectorOrNone } from './selectors.ts';

interface LoadBalancer {
  ingress?: { ip?: string; hostname?: string }[];
}

export const addressesOf = ({ ingress = [] }: LoadBalancer = {}): string[] =>
  [...new Set(ingress.map(({ ip, hostname }) => ip || hostname || '').filter(Boolean))].sort();

interface Service {
  spec?: {
    type?: string;
    clusterIPs?: string[];
    externalIPs?: string[];
    externalName?: string;
    ports?: { port?: number; nodePort?: number; protocol?: string }[];
    selector?: Record<string, string>;
  };
  status?: { loadBalancer?: LoadBalancer };
}

function externalAddress({ spec, status }: Service): string {
  const own = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || none;
    case 'LoadBalancer':
      return [...addressesOf(status?.loadBalancer), ...own].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return unknown;
  }
}

const services = cellsOf<Service>('/services', {
  Type: ({ spec }) => spec?.type ?? '',
  'Cluster-IP': ({ spec }) => spec?.clusterIPs?.[0] ?? none,
  'External-IP': externalAddress,
  'Port(s)': ({ spec }) =>
    (spec?.ports ?? [])
      .map(({ port = 0, nodePort, protocol = '' }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`)
      .join(',') || none,
  Selector: ({ spec }) => labelsText(spec?.selector),
});

interface Endpoints {
  subsets?: { addresses?: { ip?: string }[]; ports?: { port?: number }[] }[];
}

const hostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

const endpoints = cellsOf<Endpoints>('/endpoints', {
  Endpoints: ({ subsets = [] }) => {
    if (subsets.length === 0) return none;
    const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
      ports.length === 0
        ? addresses.map(({ ip = '' }) => ip)
        : ports.flatMap(({ port = 0 }) => addresses.map(({ ip = '' }) => hostPort(ip, port))),
    );
    return someOf(all, 3);
  },
});

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

export const networkCells: readonly KindCells[] = [services, endpoints, ipAddresses, serviceCidrs];
