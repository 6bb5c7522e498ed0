/** Encodes and decodes `metadata.managedFields`. */

import { fieldOf, isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { readFields, writeFields } from '../fields/fields-v1.ts';
import { compareText } from '../go-text.ts';

/** The fields of one manager. */
export interface Managed {
  identity: Identity;
  apiVersion: string;
  applied: boolean;
  fields: FieldSet;
  /** RFC 3339. */
  time?: string;
}

/** The identity of an applier does not include the version. */
export interface Identity {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  subresource: string;
}

/** By the text of their identity. */
export type Managers = Map<string, Managed>;

export const identityOf = (
  manager: string,
  operation: 'Apply' | 'Update',
  apiVersion: string,
  subresource = '',
): Identity => ({
  manager: manager || 'unknown',
  operation,
  apiVersion: operation === 'Apply' ? '' : apiVersion,
  subresource,
});

/** In Go's encoding of the entry, by which managers of the same time are sorted. */
export const identityText = ({ manager, operation, apiVersion, subresource }: Identity): string =>
  JSON.stringify({
    ...(manager ? { manager } : {}),
    operation,
    ...(apiVersion ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });

export class ManagedFieldsError extends Error {}

export function readManagers(entries: JsonValue | undefined): Managers {
  const managers: Managers = new Map();
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const managed = readEntry(isObject(entry) ? entry : {}, index);
    managers.set(identityText(managed.identity), managed);
  }
  return managers;
}

function readEntry(entry: JsonObject, index: number): Managed {
  const text = (name: string): string => {
    const value = fieldOf(entry, name);
    return typeof value === 'string' ? value : '';
  };
  const operation = text('operation');
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  const apiVersion = text('apiVersion');
  if (!apiVersion) throw new ManagedFieldsError('apiVersion must not be empty');
  if (!text('fieldsType')) throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (text('fieldsType') !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType "${text('fieldsType')}" in managed fields entry ${index}`);
  }
  const time = text('time');
  return {
    identity: { ...identityOf('', operation, apiVersion, text('subresource')), manager: text('manager') },
    apiVersion,
    applied: operation === 'Apply',
    fields: setIn(fieldOf(entry, 'fieldsV1') ?? {}),
    ...(time ? { time } : {}),
  };
}

function setIn(fields: JsonValue): FieldSet {
  try {
    return readFields(fields);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ManagedFieldsError(`error decoding set: ${cause.message}`, { cause });
  }
}

const seconds = (time: string | undefined): number => (time ? Math.floor(Date.parse(time) / 1000) : 0);

export const olderFirst = (left: Managed, right: Managed): number => seconds(left.time) - seconds(right.time);

/** Appliers first, then by time. */
export function writeManagers(managers: Managers): JsonObject[] {
  const sorted = [...managers.values()].sort(
    (left, right) =>
      compareText(left.identity.operation, right.identity.operation) ||
      olderFirst(left, right) ||
      compareText(left.identity.manager, right.identity.manager) ||
      compareText(left.apiVersion, right.apiVersion) ||
      compareText(left.identity.subresource, right.identity.subresource),
  );
  return sorted.map(({ identity: { manager, operation, subresource }, apiVersion, fields, time }) => ({
    ...(manager ? { manager } : {}),
    operation,
    apiVersion,
    ...(time ? { time } : {}),
    fieldsType: 'FieldsV1',
    fieldsV1: writeFields(fields),
    ...(subresource ? { subresource } : {}),
  }));
}

export const metadataOf = (object: JsonObject): JsonObject => {
  const metadata = fieldOf(object, 'metadata');
  return isObject(metadata) ? metadata : {};
};

/** The object with these managedFields, or without any. */
export function withManagedFields(object: JsonObject, entries: JsonObject[]): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  if (entries.length > 0) setField(metadata, 'managedFields', entries);
  return { ...object, metadata };
}
