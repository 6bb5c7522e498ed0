/** The Table columns of Services. */

import { type CellsOf, none, unknown } from '../printing/cells.ts';
import { addressesOf, type LoadBalancer } from '../printing/network.ts';
import { printedColumns } from '../printing/printed-columns.ts';
import { labelsText } from '../printing/selectors.ts';

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

const cells: CellsOf<Service> = {
  Type: ({ spec }) => spec?.type ?? '',
  'Cluster-IP': ({ spec }) => spec?.clusterIPs?.[0] ?? none,
  'External-IP': externalAddress,
  'Port(s)': ({ spec }) =>
    (spec?.ports ?? [])
      .map(({ port = 0, nodePort, protocol = '' }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`)
      .join(',') || none,
  Selector: ({ spec }) => labelsText(spec?.selector),
};

export const serviceColumns = printedColumns('', 'v1', 'services', cells);
