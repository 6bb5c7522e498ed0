/** The kinds ConfigMap, Secret and Namespace of the core group. */

import { type FieldError, invalidNamedText } from '../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../names/name-rules.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { finalizerNameErrors, kubernetesFinalizer } from '../registry/metadata-rules.ts';
import { ageColumn, nameColumn, type PrintedKind } from '../registry/printed-kind.ts';
import { dataErrors, immutabilityErrors, sizeErrors } from './config-data.ts';
import { secretTypeErrors } from './secret-types.ts';
import { served } from './served.ts';

const count = (...maps: unknown[]): number => maps.reduce<number>((sum, map) => sum + Object.keys(map ?? {}).length, 0);

export const configMaps: PrintedKind = {
  ...served('', 'configmaps'),
  checksAgain: 'all',
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
    validateUpdate: (object, old) => [
      ...finalizerErrors(object),
      ...immutabilityErrors(object, old, ['data', 'binaryData']),
    ],
  },
  columns: [
    nameColumn,
    {
      name: 'Data',
      type: 'string',
      description:
        "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
      cell: ({ data, binaryData }) => count(data, binaryData),
    },
    ageColumn,
  ],
};

/** For older kinds only. */
export const finalizerErrors = ({ metadata }: KubeObject): FieldError[] => finalizerNameErrors(metadata);

const opaque = 'Opaque';

export const secrets: PrintedKind = {
  ...served('', 'secrets'),
  checksAgain: 'all',
  nameFaults: dnsSubdomainFaults,
  strategy: {
    complete: completeSecret,
    validate: (object) => [
      ...finalizerErrors(object),
      ...dataErrors('data', object['data']),
      ...sizeErrors('data', undefined, object['data']),
      ...secretTypeErrors(object),
    ],
    validateUpdate: (object, old) => [
      ...finalizerErrors(object),
      ...(object['type'] === old['type'] ? [] : [invalidNamedText('type', object['type'], 'field is immutable')]),
      ...immutabilityErrors(object, old, ['data']),
    ],
    selectableFields: { type: ({ type }) => String(type ?? '') },
  },
  columns: [
    nameColumn,
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
    ageColumn,
  ],
};

/** `stringData` is merged into `data`, as base64. */
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
  ...served('', 'namespaces'),
  subresources: ['finalize'],
  nameFaults: dnsLabelFaults,
  checksAgain: 'all',
  strategy: {
    complete: (object) => {
      const { name } = object.metadata;
      if (name) object.metadata.labels = { ...object.metadata.labels, [nameLabel]: name };
    },
    prepareForCreate: (object) => {
      // By now the object has a name, even if it was generated.
      object.metadata.labels = { ...object.metadata.labels, [nameLabel]: object.metadata.name ?? '' };
      object['spec'] = {
        ...(object['spec'] as object | undefined),
        finalizers: [...new Set([...finalizersOf(object), kubernetesFinalizer])],
      };
      object['status'] = { phase: 'Active' };
    },
    prepareForUpdate: (object, old, subresource) => {
      if (subresource !== 'finalize') object['spec'] = old['spec'];
    },
    validate: finalizerErrors,
    validateUpdate: finalizerErrors,
    // Its content is deleted first.
    isHeld: (object) => finalizersOf(object).length > 0,
    prepareForDelete: (object) => {
      object['status'] = { ...(object['status'] as object | undefined), phase: 'Terminating' };
    },
    selectableFields: { 'status.phase': ({ status }) => (status as { phase?: string } | undefined)?.phase ?? '' },
  },
  columns: [
    nameColumn,
    {
      name: 'Status',
      type: 'string',
      description: 'The status of the namespace',
      cell: ({ status }) => (status as { phase?: string } | undefined)?.phase ?? '',
    },
    ageColumn,
  ],
};
