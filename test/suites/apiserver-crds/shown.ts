/** An answer as it is compared: without what is of one server or one moment. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { Answer } from './side.ts';

const ofTheMoment = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'lastTransitionTime',
  // Of discovery, for who moves objects to another version in the store.
  'storageVersionHash',
]);
/** Go walks maps in any order: what it finds is compared as a set. */
const sets = new Set(['causes', 'managedFields', 'conditions', 'verbs', 'resources']);

export function shown({ code, body, warning }: Answer): string {
  const content = isNowhere(body)
    ? 'no such path'
    : isObject(body) && body['kind'] === 'Status'
      ? statusOf(body)
      : body;
  return JSON.stringify({ code, body: stable(content), ...(warning ? { warning: warning.split(',').sort() } : {}) });
}

/** A path that nothing is at is answered as text there, as a Status here. */
const isNowhere = (body: JsonValue): boolean =>
  body === '404 page not found' ||
  (isObject(body) && body['message'] === 'the server could not find the requested resource');

/** The message repeats the causes, in the order in which they were found. */
function statusOf(body: JsonObject): JsonValue {
  const { message, metadata: _, ...rest } = body;
  const causes = (body['details'] as JsonObject | undefined)?.['causes'];
  return Array.isArray(causes) && causes.length > 1 ? rest : { ...rest, message: message ?? '' };
}

function stable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value === 'string') return value.replace(/selfType\d+/g, 'selfType');
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !ofTheMoment.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]): [string, JsonValue] => {
      const made = key === 'continue' && one ? 'some' : stable(one);
      return [key, sets.has(key) && Array.isArray(made) ? made.map((each) => JSON.stringify(each)).sort() : made];
    });
  return Object.fromEntries(entries);
}
