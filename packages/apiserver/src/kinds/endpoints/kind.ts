/** The kind Endpoints, the predecessor of EndpointSlice. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { finalizerErrors } from '../core.ts';
import { ipWarnings } from '../rules/ip-rules.ts';
import { served } from '../served.ts';
import { endpointsColumns } from './columns.ts';
import { endpointsErrors } from './endpoints-rules.ts';

function defaultEndpoints({ subsets }: KubeObject): void {
  for (const { ports } of (subsets ?? []) as { ports?: { protocol?: string }[] }[])
    for (const port of ports ?? []) port.protocol ||= 'TCP';
}

interface Subset {
  addresses?: { ip?: string }[];
  notReadyAddresses?: { ip?: string }[];
}

const managedBy = 'endpoints.kubernetes.io/managed-by';

function endpointsWarnings({ metadata, subsets }: KubeObject): string[] {
  if (metadata.labels?.[managedBy] === 'endpoint-controller') return [];
  return ((subsets ?? []) as Subset[]).flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((field) =>
      (subset[field] ?? []).flatMap(({ ip = '' }, place) => ipWarnings(ip, `subsets[${index}].${field}[${place}].ip`)),
    ),
  );
}

export const endpoints: PrintedKind = {
  ...served('', 'endpoints'),
  createsOnUpdate: true,
  checksAgain: 'all',
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  strategy: {
    complete: defaultEndpoints,
    validate: (object) => [...finalizerErrors(object), ...endpointsErrors(object)],
    validateUpdate: finalizerErrors,
    warnings: endpointsWarnings,
  },
  columns: endpointsColumns,
};
