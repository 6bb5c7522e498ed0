/** Converts an object to its scale, and writes a scale back to the object. */

import { fieldOf, isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { invalidValue } from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { finalizerNameErrors, metadataErrors } from '../registry/metadata-rules.ts';
import { ageColumn, type Column, isCustom, nameColumn, type PrintedKind } from '../registry/printed-kind.ts';
import type { ResourceKind, ScaleFields } from '../registry/resource-kind.ts';
import type { RequestedForm } from './object-forms.ts';

export const scaleKind: ResourceKind = {
  group: 'autoscaling',
  version: 'v1',
  resource: 'scales',
  singular: 'scale',
  kind: 'Scale',
  namespaced: true,
  allowsUnconditionalUpdate: true,
  nameFaults: () => [],
  strategy: {},
};

const at = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<JsonValue | undefined>(
    (value, name) => (isObject(value) ? fieldOf(value, name) : undefined),
    object as JsonValue,
  );

const numberAt = (object: unknown, path: readonly string[]): number => Number(at(object, path) ?? 0);

export const replicasOf = (scale: KubeObject): number => numberAt(scale, ['spec', 'replicas']);

export const hasReplicas = (object: KubeObject, { replicas }: ScaleFields): boolean =>
  at(object, replicas) !== undefined;

export function scaleOf(object: KubeObject, { replicas, currentReplicas, selector }: ScaleFields): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicaCount = numberAt(object, replicas);
  const text = selector(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: Object.fromEntries(
      Object.entries({ name, namespace, uid, resourceVersion, creationTimestamp }).filter(([, value]) => value),
    ),
    spec: replicaCount === 0 ? {} : { replicas: replicaCount },
    status: { replicas: numberAt(object, currentReplicas), ...(text ? { selector: text } : {}) },
  };
}

/** The object with the replicas of a scale, if the scale's resourceVersion matches. */
export function scaled(object: KubeObject, scale: KubeObject, { replicas }: ScaleFields): KubeObject {
  const made = structuredClone(object);
  let place = made as unknown as JsonObject;
  for (const name of replicas.slice(0, -1)) {
    if ((fieldOf(place, name) ?? null) === null) setField(place, name, {});
    place = fieldOf(place, name) as JsonObject;
  }
  setField(place, replicas.at(-1)!, replicasOf(scale));
  const { resourceVersion, uid } = scale.metadata;
  if (resourceVersion) made.metadata.resourceVersion = resourceVersion;
  if (uid) made.metadata.uid = uid;
  return made;
}

export function checkScale(scale: KubeObject): void {
  const replicaCount = replicasOf(scale);
  const { namespace } = scale.metadata;
  const errors = [
    ...metadataErrors(scale.metadata, namespace !== undefined),
    ...finalizerNameErrors(scale.metadata),
    ...(replicaCount < 0 ? [invalidValue('spec.replicas', replicaCount, 'must be greater than or equal to 0')] : []),
  ];
  if (errors.length > 0) throw invalid(scaleKind, scale.metadata.name ?? '', errors);
}

const integerColumn = (name: string, description: string, cell: Column['cell']): Column => ({
  name,
  type: 'integer',
  description,
  cell,
});

const columns = (
  name: Column,
  desired: string,
  available: string,
  age: Column,
  desiredCell: Column['cell'],
): Column[] => [
  name,
  integerColumn('Desired', desired, desiredCell),
  integerColumn('Available', available, (scale) => numberAt(scale, ['status', 'replicas'])),
  age,
];

const builtInColumns = columns(
  { ...nameColumn, format: '' },
  'replicas is the desired number of instances for the scaled object.',
  'replicas is the actual number of observed instances of the scaled object.',
  ageColumn,
  replicasOf,
);
// The field is omitted if no replicas are desired, and a CRD's column then stays empty.
const customColumns = columns(
  nameColumn,
  'Number of desired replicas',
  'Number of actual replicas',
  { ...ageColumn, type: 'date' },
  (scale) => replicasOf(scale) || null,
);

/** A scale has its own Table columns. */
export const scaleForm = (printed: PrintedKind, { table, ...requested }: RequestedForm): RequestedForm => ({
  ...requested,
  table: { ...table, printed: { ...printed, columns: isCustom(printed) ? customColumns : builtInColumns } },
});
