/** Returns the paths of the fields in which two values differ. */

import { isRecord } from '@fleet/kube/is-record.ts';

export function differences(one: unknown, other: unknown, path: string): string[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((value, index) => differences(value, other[index], `${path}[${index}]`));
  if (isRecord(one) && isRecord(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(one[key], other[key], `${path}.${key}`));
  }
  return isSame(one, other) ? [] : [path];
}

/** An absent field, null and an empty one mean the same to Kubernetes. */
const isSame = (one: unknown, other: unknown): boolean => one === other || (isEmpty(one) && isEmpty(other));

const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.values(value).every(isEmpty);
};
