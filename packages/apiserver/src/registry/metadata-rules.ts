/** Validates the metadata of objects, with apimachinery's error texts (`api/validation/objectmeta.go`). */

import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '../errors/field-error.ts';
import {
  asPrefix,
  dnsLabelFaults,
  labelKeyFaults,
  labelValueFaults,
  type NameRule,
  pathSegmentFaults,
} from '../names/name-rules.ts';
import type { ObjectMeta, OwnerReference } from './kube-object.ts';

const annotationBytes = 256 * 1024;

const invalidFor = (field: string, value: unknown, faults: readonly string[]): FieldError[] =>
  faults.map((fault) => invalidValue(field, value, fault));

/** For creation and for every update; `nameFaults` is the rule of the kind, by default that of path segments. */
export function metadataErrors(
  metadata: ObjectMeta,
  namespaced: boolean,
  nameFaults: NameRule = pathSegmentFaults,
): FieldError[] {
  const { name, generateName, generation = 0 } = metadata;
  return [
    ...(generateName ? invalidFor('metadata.generateName', generateName, nameFaults(asPrefix(generateName))) : []),
    ...(name
      ? invalidFor('metadata.name', name, nameFaults(name))
      : [required('metadata.name', 'name or generateName is required')]),
    ...namespaceErrors(metadata.namespace, namespaced),
    ...(generation < 0 ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')] : []),
    ...labelErrors(metadata.labels),
    ...annotationErrors(metadata.annotations),
    ...ownerErrors(metadata.ownerReferences),
    ...finalizerErrors(metadata.finalizers),
  ];
}

/** Validates immutable fields on an update. */
export function metadataUpdateErrors(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const immutable = [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const;
  const added = (metadata.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer));
  return [
    ...(old.deletionTimestamp && added.length > 0
      ? [
          forbiddenField(
            'metadata.finalizers',
            `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`,
          ),
        ]
      : []),
    ...immutable.flatMap((field) =>
      metadata[field] === old[field]
        ? []
        : [
            invalidValue(
              `metadata.${field}`,
              metadata[field] ?? (field.endsWith('Timestamp') ? null : ''),
              'field is immutable',
            ),
          ],
    ),
    ...labelErrors(metadata.labels),
    ...annotationErrors(metadata.annotations),
    ...ownerErrors(metadata.ownerReferences),
  ];
}

/** Go's `%#v` of a list. */
const goStrings = (texts: readonly string[]): string =>
  `[]string{${[...new Set(texts)]
    .sort()
    .map((text) => JSON.stringify(text))
    .join(', ')}}`;

function namespaceErrors(namespace: string | undefined, namespaced: boolean): FieldError[] {
  if (!namespaced) return namespace ? [forbiddenField('metadata.namespace', 'not allowed on this type')] : [];
  return namespace
    ? invalidFor('metadata.namespace', namespace, dnsLabelFaults(namespace))
    : [required('metadata.namespace')];
}

const labelErrors = (labels: Record<string, string> = {}): FieldError[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...invalidFor('metadata.labels', key, labelKeyFaults(key)),
    ...invalidFor('metadata.labels', value, labelValueFaults(value)),
  ]);

function annotationErrors(annotations: Record<string, string> = {}): FieldError[] {
  const entries = Object.entries(annotations);
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => invalidFor('metadata.annotations', key, labelKeyFaults(key.toLowerCase()))),
    ...(size > annotationBytes ? [tooLong('metadata.annotations', annotationBytes)] : []),
  ];
}

function ownerErrors(owners: readonly OwnerReference[] = []): FieldError[] {
  const at = 'metadata.ownerReferences';
  const controllers = owners.filter(({ controller }) => controller).map(({ kind, name }) => `${kind}/${name}`);
  const several = controllers
    .slice(1)
    .map((second) =>
      invalidValue(
        at,
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]} and ${second}`,
      ),
    );
  return [...owners.flatMap((owner) => ownerFieldErrors(at, owner)), ...several];
}

function ownerFieldErrors(
  at: string,
  { apiVersion = '', kind = '', name = '', uid = '' }: OwnerReference,
): FieldError[] {
  return [
    ...(apiVersion.split('/').at(-1) === '' || apiVersion.split('/').length > 2
      ? [invalidValue(`${at}.apiVersion`, apiVersion, 'version must not be empty')]
      : []),
    ...Object.entries({ kind, name, uid }).flatMap(([field, value]) =>
      value === '' ? [invalidValue(`${at}.${field}`, value, 'must not be empty')] : [],
    ),
    ...(apiVersion === 'v1' && kind === 'Event'
      ? [invalidValue(at, { apiVersion, kind, name, uid }, '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ];
}

export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

function finalizerErrors(finalizers: readonly string[] = []): FieldError[] {
  const both = [orphanFinalizer, foregroundFinalizer].every((finalizer) => finalizers.includes(finalizer));
  return [
    ...finalizers.flatMap((finalizer) => invalidFor('metadata.finalizers', finalizer, labelKeyFaults(finalizer))),
    ...(both
      ? [
          invalidValue(
            'metadata.finalizers',
            finalizers,
            `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`,
          ),
        ]
      : []),
  ];
}

/** The finalizer of namespaces. */
export const kubernetesFinalizer = 'kubernetes';

/** Finalizers without a domain must be standard ones: a rule of core kinds. */
export const finalizerNameErrors = ({ finalizers = [] }: ObjectMeta): FieldError[] =>
  finalizers.flatMap((finalizer, index) =>
    finalizer.includes('/') || [kubernetesFinalizer, orphanFinalizer, foregroundFinalizer].includes(finalizer)
      ? []
      : [
          invalidValue(
            `metadata.finalizers[${index}]`,
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
