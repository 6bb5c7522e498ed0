/** The statuses of members' objects, and the one that a template has of them. */

import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@fleet/kube/is-record.ts';
import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';
import type { Fields } from './fields.ts';

export function statusOf(object: AnyObject): Fields | undefined {
  const status = object['status'];
  if (status === undefined || status === null) return undefined;
  if (!isRecord(status)) throw new Error(`the status of ${object.kind} ${object.metadata.name} is not an object`);
  return status;
}

/** Of the clusters that have reported one. */
export const reportedStatuses = (items: readonly AggregatedStatusItem[]): JsonObject[] =>
  items.flatMap(({ status }) => (status ? [status] : []));

/** The template itself if its status is the same already: callers compare by reference. */
export const withStatus = (template: AnyObject, status: Fields): AnyObject =>
  isDeepStrictEqual(withoutEmpty(statusOf(template)), withoutEmpty(status)) ? template : { ...template, status };

/** Go leaves empty values out, so that they are no difference. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (isRecord(value)) {
    const entries = Object.entries(value).flatMap(([key, field]) => {
      const left = withoutEmpty(field);
      return left === undefined ? [] : [[key, left] as const];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  return value === 0 || value === '' || value === false || value === null ? undefined : value;
}

/** The later of two times, of which either may be missing. */
export function laterTime(a: string | undefined, b: string | undefined): string | undefined {
  if (!a || !b) return a || b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}

export function earlierTime(a: string | undefined, b: string | undefined): string | undefined {
  if (!a || !b) return a || b;
  return Date.parse(b) < Date.parse(a) ? b : a;
}
