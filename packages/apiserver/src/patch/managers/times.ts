/** Detects writes that change nothing but the times of managers. */

import { equalJson, fieldOf, isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { metadataOf, withManagedFields } from './managed.ts';

const entriesOf = (object: JsonObject): JsonObject[] => {
  const entries = fieldOf(metadataOf(object), 'managedFields');
  return Array.isArray(entries) ? entries.filter(isObject) : [];
};

const withoutTime = ({ time: _, ...entry }: JsonObject): JsonValue => entry;

/** `next`, with the times of `live` if there is no other difference. */
export function withTimesKept(live: JsonObject, next: JsonObject): JsonObject {
  const before = entriesOf(live);
  const after = entriesOf(next);
  const sameManagers = before.length > 0 && equalJson(before.map(withoutTime), after.map(withoutTime));
  const same = sameManagers && equalJson(withManagedFields(live, []), withManagedFields(next, []));
  return same ? withManagedFields(next, before) : next;
}
