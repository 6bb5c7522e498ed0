/** The kind EndpointSlice. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { someOf, unset } from '../printing/cells.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { isSame, isSameMap } from '../rules/equality.ts';
import { ipWarnings } from '../rules/ip-rules.ts';
import { objectMetaErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import { type Endpoint, type EndpointSlice, endpointSliceErrors } from './rules.ts';

const facts = served('discovery.k8s.io', 'endpointslices');

const of = (object: KubeObject): EndpointSlice => object as unknown as EndpointSlice;

export const endpointSlices: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => {
      for (const port of of(object).ports ?? []) {
        port.name ??= '';
        port.protocol ??= 'TCP';
      }
    },
    prepareForCreate: (object) => dropTopology(of(object).endpoints ?? [], []),
    prepareForUpdate: (object, old) => {
      const [endpoints, before] = [of(object).endpoints ?? [], of(old).endpoints ?? []];
      const isOther = !isSame(endpoints, before);
      // Labels name the Service, so their change increments the generation.
      if (isOther || !isSameMap(object.metadata.labels, old.metadata.labels))
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      if (isOther) dropTopology(endpoints, before);
    },
    validateCreate: (object) => [...objectMetaErrors(object, facts), ...endpointSliceErrors(of(object))],
    validateUpdate: (object, old) => [...objectMetaErrors(object, facts), ...endpointSliceErrors(of(object), of(old))],
    warnings: (object, old) => [
      ...(!old && of(object).addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
      ...addressWarnings(object),
    ],
  },
  columns: kindColumns<EndpointSlice>(facts, {
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
  }),
};

const hostLabel = 'kubernetes.io/hostname';

/** `deprecatedTopology` of the older version: its node name is kept if it was set before. */
function dropTopology(endpoints: readonly Endpoint[], before: readonly Endpoint[]): void {
  const nodes = before.flatMap(({ deprecatedTopology = {} }) => deprecatedTopology[hostLabel] || []);
  for (const endpoint of endpoints) {
    const node = endpoint.deprecatedTopology?.[hostLabel];
    if (endpoint.nodeName === undefined && node !== undefined && nodes.includes(node)) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}

/** Kubernetes' own controllers, which need no warnings. */
const controllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function addressWarnings(object: KubeObject): string[] {
  const manager = object.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '';
  if (controllers.includes(manager)) return [];
  return (of(object).endpoints ?? []).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((address, place) => ipWarnings(address, `endpoints[${index}].addresses[${place}]`)),
  );
}
