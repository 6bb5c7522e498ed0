/** The fields that identify an object or that only API servers write: no patch and no override may change them. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { AnyObject } from './objects.ts';

const identity = ['apiVersion', 'kind'] as const;
const identityInMetadata = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
] as const;

/** The path of what is different, such as `/metadata/name`. Undefined where it is the same object still. */
export function changedIdentity(before: AnyObject, after: Record<string, unknown>): string | undefined {
  const field = identity.find((one) => !isSameValue(before[one], after[one]));
  if (field !== undefined) return `/${field}`;
  const { metadata } = after;
  if (!isRecord(metadata)) return '/metadata';
  const known: Record<string, unknown> = { ...before.metadata };
  const inMetadata = identityInMetadata.find((one) => !isSameValue(known[one], metadata[one]));
  return inMetadata && `/metadata/${inMetadata}`;
}

/**
 * Go programs make a patch of an object that they have read into their type and written again: that adds nulls and empty fields
 * where the object has none, such as `creationTimestamp: null`, and means no change.
 */
export function isSameValue(before: unknown, after: unknown): boolean {
  if (isNothing(before) && isNothing(after)) return true;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((one, index) => isSameValue(one, after[index]));
  }
  if (!isRecord(before) || !isRecord(after)) return before === after;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].every((key) => isSameValue(own(before, key), own(after, key)));
}

const isNothing = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every(isNothing);
};

const own = (record: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;
