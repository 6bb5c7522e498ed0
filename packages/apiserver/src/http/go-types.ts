/** Objects as Go would decode them: nulls are nothing, and what has the wrong type is refused in Go's words. */

import { badRequest } from '@fleet/kube/status.ts';
import type { ObjectMeta } from '../registry/kube-object.ts';
import type { GoType, ResourceKind } from '../registry/resource-kind.ts';

const metadataTypes: Readonly<Record<keyof ObjectMeta, GoType>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  uid: 'types.UID',
  resourceVersion: 'string',
  generation: 'int64',
  creationTimestamp: 'v1.Time',
  deletionTimestamp: 'v1.Time',
  deletionGracePeriodSeconds: 'int64',
  labels: 'map[string]string',
  annotations: 'map[string]string',
  ownerReferences: '[]v1.OwnerReference',
  finalizers: '[]string',
  managedFields: '[]v1.ManagedFieldsEntry',
};

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function readMetadata(metadata: unknown, kind: ResourceKind): ObjectMeta {
  if (metadata === undefined || metadata === null) return {};
  if (!isPlainObject(metadata)) throw wrongType(kind, metadata, `${kind.kind}.metadata`, 'v1.ObjectMeta');
  return readFields(metadata, metadataTypes, kind, 'ObjectMeta.metadata') as ObjectMeta;
}

/** Fields that the type does not have are dropped. */
export function readFields(
  object: Record<string, unknown>,
  fields: Readonly<Record<string, GoType>>,
  kind: ResourceKind,
  path: string,
): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([field, type]) => {
    const value = object[field];
    if (value === undefined || value === null) return [];
    return [[field, decoded(kind, `${path}.${field}`, type, value)]];
  });
  return Object.fromEntries(entries);
}

function decoded(kind: ResourceKind, path: string, type: GoType, value: unknown): unknown {
  const refuse = (wrong: unknown, wanted: string) => wrongType(kind, wrong, path, wanted);
  switch (type) {
    case 'string':
    case 'types.UID':
      if (typeof value !== 'string') throw refuse(value, type);
      return value;
    case 'v1.Time':
      if (typeof value !== 'string') throw refuse(value, type);
      if (Number.isNaN(Date.parse(value))) throw notHandled(kind, badTime(value));
      return value;
    case 'bool':
      if (typeof value !== 'boolean') throw refuse(value, type);
      return value;
    case 'int64':
      if (!Number.isSafeInteger(value)) throw refuse(value, type);
      return value;
    case 'map[string]string':
      if (!isPlainObject(value)) throw refuse(value, type);
      return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, textOf(text, refuse)]));
    case 'map[string][]uint8':
      if (!isPlainObject(value)) throw refuse(value, type);
      return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, bytesOf(kind, text, refuse)]));
    case 'struct':
      if (!isPlainObject(value)) throw refuse(value, 'struct');
      return value;
    case '[]string':
      if (!Array.isArray(value)) throw refuse(value, type);
      return value.map((text) => textOf(text, refuse));
    case '[]v1.OwnerReference':
    case '[]v1.ManagedFieldsEntry': {
      if (!Array.isArray(value)) throw refuse(value, type);
      const wrong = value.find((one) => !isPlainObject(one));
      if (wrong !== undefined) throw refuse(wrong, type.slice(2));
      return value;
    }
    default:
      return type satisfies never;
  }
}

function textOf(value: unknown, refuse: (wrong: unknown, wanted: string) => Error): string {
  if (value === null) return '';
  if (typeof value !== 'string') throw refuse(value, 'string');
  return value;
}

/** Base64, as it came. */
function bytesOf(kind: ResourceKind, value: unknown, refuse: (wrong: unknown, wanted: string) => Error): string {
  const text = value === null ? '' : value;
  if (typeof text !== 'string') throw refuse(text, '[]uint8');
  const wrong =
    /[^A-Za-z0-9+/=\r\n]/.exec(text)?.index ?? (text.replace(/[\r\n]/g, '').length % 4 === 0 ? -1 : text.length);
  if (wrong >= 0) throw notHandled(kind, `illegal base64 data at input byte ${wrong}`);
  return text;
}

const badTime = (text: string): string =>
  `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`;

export const jsonType = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
};

const wrongType = (kind: ResourceKind, value: unknown, path: string, wanted: string): Error =>
  notHandled(kind, `json: cannot unmarshal ${jsonType(value)} into Go struct field ${path} of type ${wanted}`);

const notHandled = ({ kind, version }: ResourceKind, why: string): Error =>
  badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
