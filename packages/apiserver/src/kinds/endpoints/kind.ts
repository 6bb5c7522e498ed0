/** Endpoints: the older form of EndpointSlices. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { served } from '../served.ts';
import { endpointsColumns } from './columns.ts';
import { endpointsErrors } from './endpoints-rules.ts';

function defaultEndpoints({ subsets }: KubeObject): void {
  for (const { ports } of (subsets ?? []) as { ports?: { protocol?: string }[] }[])
    for (const port of ports ?? []) port.protocol ||= 'TCP';
}

export const endpoints: PrintedKind = {
  ...served('', 'endpoints'),
  createsOnUpdate: true,
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  strategy: { complete: defaultEndpoints, validate: endpointsErrors },
  columns: endpointsColumns,
};
