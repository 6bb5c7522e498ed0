/** Overriders of labels and annotations. Removing or replacing one that is not there changes nothing. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { MapOverrider } from '../api/policies.ts';
import type { Budget } from './budget.ts';

export function withKeys(
  manifest: unknown,
  field: 'labels' | 'annotations',
  overrider: MapOverrider,
  budget: Budget,
): unknown {
  const values = overrider.value ?? {};
  if (!isRecord(manifest) || !isRecord(manifest['metadata']) || Object.keys(values).length === 0) return manifest;
  const { metadata } = manifest;
  const before = metadata[field];
  if (!isRecord(before) && overrider.operator !== 'add') return manifest;
  budget.spend(Object.keys(isRecord(before) ? before : {}).length + Object.keys(values).length + 1);
  const after = changedKeys(isRecord(before) ? before : {}, values, overrider.operator);
  return { ...manifest, metadata: { ...metadata, [field]: after } };
}

type Keys = Record<string, unknown>;

function changedKeys(before: Keys, values: Record<string, string>, operator: MapOverrider['operator']): Keys {
  switch (operator) {
    case 'add':
      return { ...before, ...values };
    case 'remove':
      return Object.fromEntries(Object.entries(before).filter(([key]) => !Object.hasOwn(values, key)));
    case 'replace':
      return { ...before, ...Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(before, key))) };
    default:
      return operator satisfies never;
  }
}
