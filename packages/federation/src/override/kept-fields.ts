/**
 * The fields that no override may change (FED-7): those that identify the object, and federation's own marks. Overrides of one namespace
 * would otherwise reach objects of other namespaces and other kinds in members, with the product's own permissions.
 */

import { isRecord } from '@fleet/kube/is-record.ts';
import { changedIdentity } from '../api/identity.ts';
import type { AnyObject } from '../api/objects.ts';

const markDomains = [
  'work.karmada.io',
  'resourcebinding.karmada.io',
  'clusterresourcebinding.karmada.io',
  'resourcetemplate.karmada.io',
];

const isMark = (key: string): boolean =>
  key === 'karmada.io/managed' || markDomains.some((domain) => key.startsWith(`${domain}/`));

export function refuseKeptFields(before: AnyObject, after: AnyObject): void {
  const path =
    changedIdentity(before, after) ?? changedMark(before, after, 'labels') ?? changedMark(before, after, 'annotations');
  if (path !== undefined) throw new Error(`an override may not change ${path}`);
}

function changedMark(before: AnyObject, after: AnyObject, field: 'labels' | 'annotations'): string | undefined {
  const [known, now] = [marksIn(before.metadata[field]), marksIn(after.metadata[field])];
  const key = [...known.keys(), ...now.keys()].find((one) => known.get(one) !== now.get(one));
  return key && `/metadata/${field}/${key.replaceAll('/', '~1')}`;
}

const marksIn = (texts: unknown): ReadonlyMap<string, unknown> =>
  new Map(isRecord(texts) ? Object.entries(texts).filter(([key]) => isMark(key)) : []);
