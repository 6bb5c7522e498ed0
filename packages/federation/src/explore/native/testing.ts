/** Objects and reports for the tests of this folder. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';

export const objectOf = (apiVersion: string, kind: string, fields: object = {}, metadata: object = {}): AnyObject =>
  frozen({ apiVersion, kind, metadata: { name: 'nginx', namespace: 'default', ...metadata }, ...fields });

/** One status for each cluster: member1, member2, … */
export const reports = (...statuses: (JsonObject | undefined)[]): AggregatedStatusItem[] =>
  frozen(
    statuses.map((status, index) => ({
      clusterName: `member${index + 1}`,
      applied: true,
      ...(status !== undefined && { status }),
    })),
  );

/** What changes its arguments fails. */
export function frozen<T>(value: T): T {
  if (Array.isArray(value)) for (const item of value) frozen(item);
  else if (isRecord(value)) for (const field of Object.values(value)) frozen(field);
  return Object.freeze(value);
}
