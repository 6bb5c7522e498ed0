/** The first kinds of the core group. */

import { type FieldError, invalidValue } from '../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../names/name-rules.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { dataErrors, immutabilityErrors, sizeErrors } from './config-data.ts';
import { secretTypeErrors } from './secret-types.ts';

const kubernetesFinalizer = 'kubernetes';

const core = { group: '', version: 'v1' } as const;

const count = (...maps: unknown[]): number => maps.reduce<number>((sum, map) => sum + Object.keys(map ?? {}).length, 0);

export const configMaps: PrintedKind = {
  ...core,
  resource: 'configmaps',
  singular: 'configmap',
  kind: 'ConfigMap',
  namespaced: true,
  shortNames: ['cm'],
  fields: { data: 'map[string]string', binaryData: 'map[string][]uint8', immutable: 'bool' },
  allowsUnconditionalUpdate: true,
  checksMetadataAgain: true,
  nameFaults: dnsSubdomainFaults,
  strategy: {
    validate: (object) => {
      const { data, binaryData } = object;
      return [
        ...finalizerErrors(object),
        ...dataErrors('data', data, Object.keys(binaryData ?? {})),
        ...dataErrors('binaryData', binaryData),
        ...sizeErrors('', data, binaryData),
      ];
    },
    validateUpdate: (object, old) => immutabilityErrors(object, old, ['data', 'binaryData']),
  },
  columns: [
    {
      name: 'Data',
      type: 'string',
      description:
        "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
      cell: ({ data, binaryData }) => count(data, binaryData),
    },
  ],
};

/** Of core kinds only: finalizers without a domain must be those that Kubernetes knows. */
const finalizerErrors = ({ metadata: { finalizers = [] } }: KubeObject): FieldError[] =>
  finalizers.flatMap((finalizer, index) =>
    finalizer.includes('/') || [kubernetesFinalizer, 'orphan', 'foregroundDeletion'].includes(finalizer)
      ? []
      : [
          invalidValue(
            `metadata.finalizers[${index}]`,
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );

const opaque = 'Opaque';

export const secrets: PrintedKind = {
  ...core,
  resource: 'secrets',
  singular: 'secret',
  kind: 'Secret',
  namespaced: true,
  fields: { type: 'string', data: 'map[string][]uint8', stringData: 'map[string]string', immutable: 'bool' },
  allowsUnconditionalUpdate: true,
  checksMetadataAgain: true,
  nameFaults: dnsSubdomainFaults,
  strategy: {
    prepareForCreate: completeSecret,
    prepareForUpdate: (object, old) => {
      object['type'] ||= old['type'];
      completeSecret(object);
    },
    validate: (object) => [
      ...finalizerErrors(object),
      ...dataErrors('data', object['data']),
      ...sizeErrors('data', undefined, object['data']),
      ...secretTypeErrors(object),
    ],
    validateUpdate: (object, old) => [
      ...(object['type'] === old['type'] ? [] : [invalidValue('type', object['type'], 'field is immutable')]),
      ...immutabilityErrors(object, old, ['data']),
    ],
    selectableFields: { type: ({ type }) => String(type ?? '') },
  },
  columns: [
    {
      name: 'Type',
      type: 'string',
      description:
        'Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types',
      cell: ({ type }) => String(type ?? ''),
    },
    {
      name: 'Data',
      type: 'string',
      description:
        "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
      cell: ({ data }) => count(data),
    },
  ],
};

/** What may be written as text is kept as base64 with the rest. */
function completeSecret(object: KubeObject): void {
  object['type'] ||= opaque;
  const { stringData } = object;
  delete object['stringData'];
  if (typeof stringData !== 'object' || stringData === null) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  object['data'] = { ...(object['data'] as object | undefined), ...Object.fromEntries(encoded) };
}

const nameLabel = 'kubernetes.io/metadata.name';

const finalizersOf = ({ spec }: KubeObject): string[] =>
  (spec as { finalizers?: string[] } | undefined)?.finalizers ?? [];

export const namespaces: PrintedKind = {
  ...core,
  resource: 'namespaces',
  singular: 'namespace',
  kind: 'Namespace',
  namespaced: false,
  shortNames: ['ns'],
  fields: { spec: 'struct', status: 'struct' },
  hasStatus: true,
  subresources: ['finalize'],
  allowsUnconditionalUpdate: true,
  nameFaults: dnsLabelFaults,
  strategy: {
    prepareForCreate: (object) => {
      object.metadata.labels = { ...object.metadata.labels, [nameLabel]: object.metadata.name! };
      object['spec'] = {
        ...(object['spec'] as object | undefined),
        finalizers: [...new Set([...finalizersOf(object), kubernetesFinalizer])],
      };
      object['status'] = { phase: 'Active' };
    },
    prepareForUpdate: (object, old, subresource) => {
      object.metadata.labels = { ...object.metadata.labels, [nameLabel]: object.metadata.name! };
      if (subresource !== 'finalize') object['spec'] = old['spec'];
    },
    // Its contents go first.
    isHeld: (object) => finalizersOf(object).length > 0,
    prepareForDelete: (object) => {
      object['status'] = { ...(object['status'] as object | undefined), phase: 'Terminating' };
    },
    selectableFields: { 'status.phase': ({ status }) => (status as { phase?: string } | undefined)?.phase ?? '' },
  },
  columns: [
    {
      name: 'Status',
      type: 'string',
      description: 'The status of the namespace',
      cell: ({ status }) => (status as { phase?: string } | undefined)?.phase ?? '',
    },
  ],
};
