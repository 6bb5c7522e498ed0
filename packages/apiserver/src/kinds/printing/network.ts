import type { SelectorObject } from '../../selectors/selector-object.ts';
import { cellsOf, type KindCells, none, someOf, unset } from './cells.ts';
import { selectorOrNone } from './selectors.ts';

export interface LoadBalancer {
  ingress?: { ip?: string; hostname?: string }[];
}

/** Of a load balancer, each once. */
export const addressesOf = ({ ingress = [] }: LoadBalancer = {}): string[] =>
  [...new Set(ingress.map(({ ip, hostname }) => ip || hostname || '').filter(Boolean))].sort();

interface EndpointSlice {
  addressType?: string;
  ports?: { name?: string; port?: number }[] | null;
  endpoints?: { addresses?: string[] | null }[] | null;
}

const endpointSlices = cellsOf<EndpointSlice>('discovery.k8s.io/endpointslices', {
  AddressType: ({ addressType = '' }) => addressType,
  Ports: ({ ports }) =>
    someOf(
      (ports ?? []).map(({ name, port }) => String(port ?? name ?? '*')),
      3,
    ) || unset,
  Endpoints: (slice) =>
    someOf(
      (slice.endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
      3,
    ) || unset,
});

interface Ingress {
  spec?: { ingressClassName?: string; rules?: { host?: string }[]; tls?: unknown[] };
  status?: { loadBalancer?: LoadBalancer };
}

/** Of more than three, also those without a host are counted as more. */
function hosts({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const named = rules.flatMap(({ host }) => host || []);
  if (named.length === 0) return '*';
  const shown = named.slice(0, 3).join(',');
  const third = rules.indexOf(rules.filter(({ host }) => host)[2]!);
  return third >= 0 && third < rules.length - 1 ? `${shown} + ${rules.length - 3} more...` : shown;
}

const ingresses = cellsOf<Ingress>('networking.k8s.io/ingresses', {
  Class: ({ spec }) => spec?.ingressClassName ?? none,
  Hosts: hosts,
  Address: ({ status }) => addressesOf(status?.loadBalancer).join(','),
  Ports: ({ spec }) => (spec?.tls?.length ? '80, 443' : '80'),
});

interface IngressClass {
  spec?: { controller?: string; parameters?: { apiGroup?: string; kind?: string; name?: string } };
}

const ingressClasses = cellsOf<IngressClass>('networking.k8s.io/ingressclasses', {
  Name: ({ metadata: { name = '', annotations = {} } }) =>
    annotations['ingressclass.kubernetes.io/is-default-class'] === 'true' ? `${name} (default)` : name,
  Controller: ({ spec }) => spec?.controller ?? '',
  Parameters: ({ spec }) => {
    if (!spec?.parameters) return none;
    const { apiGroup, kind = '', name = '' } = spec.parameters;
    return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
  },
});

const networkPolicies = cellsOf<{ spec?: { podSelector?: SelectorObject } }>('networking.k8s.io/networkpolicies', {
  'Pod-Selector': ({ spec }) => selectorOrNone(spec?.podSelector),
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

export const networkCells: readonly KindCells[] = [
  endpointSlices,
  ingresses,
  ingressClasses,
  networkPolicies,
  ipAddresses,
  serviceCidrs,
];
