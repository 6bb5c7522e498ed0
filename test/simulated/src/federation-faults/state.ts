/**
 * What all servers hold, as text: equal for two runs that came to the same, whatever uids, permanent ids, versions and times they were
 * given. Events and Leases are left out.
 */

import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { FakeControlPlane } from '@fleet/federation/testing/fake-control-plane.ts';
import { places, type World } from './world.ts';

/** By `place kind namespace/name`. */
export type State = Map<string, string>;

const isLeftOut = (resource: string): boolean => resource === 'events' || resource === 'leases';

/** Of these, versions and generations are counted by the writes that it took: how far one lags behind another is what counts. */
const counted = new Set(['resourceVersion', 'generation', 'managedFields']);
const observing = new Set(['observedGeneration', 'schedulerObservedGeneration']);
/** In the order in which they came. */
const unordered = new Set(['finalizers', 'conditions']);

export function stateOf(world: World): State {
  const objects = places(world).flatMap(([place, server]) =>
    objectsOf(server).map(([resource, object]): [string, AnyObject] => [keyOf(place, resource, object), object]),
  );
  objects.sort(([a], [b]) => (a < b ? -1 : 1));
  const ids = new Map<string, string>();
  return new Map(objects.map(([key, object]) => [key, textOf(object, ids)]));
}

export const objectsOf = ({ objects }: FakeControlPlane): [string, AnyObject][] =>
  objects
    .all()
    .filter(([{ resource }]) => !isLeftOut(resource))
    .map(([{ resource }, object]) => [resource, object]);

const keyOf = (place: string, resource: string, { metadata }: AnyObject): string =>
  `${place} ${resource} ${metadata.namespace ?? ''}/${metadata.name}`;

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** `ids` has those that were met so far. */
export function textOf(object: AnyObject, ids: Map<string, string>): string {
  const { generation } = object.metadata;
  // Works and bindings report generations of other objects.
  const reports = object.kind === 'Work' || object.kind.endsWith('ResourceBinding');
  const replaced = JSON.stringify(object, (key, value: unknown) => {
    if (counted.has(key) || (reports && key === 'observedGeneration')) return undefined;
    if (unordered.has(key) && Array.isArray(value)) return value.toSorted(byText);
    if (observing.has(key)) return value === generation ? 'newest' : 'older';
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return replaced.replace(time, 'a time').replace(uuid, (id) => {
    const known = ids.get(id) ?? `id ${ids.size + 1}`;
    ids.set(id, known);
    return known;
  });
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

export function isSame(a: State, b: State): boolean {
  if (a.size !== b.size) return false;
  for (const [key, text] of a) if (b.get(key) !== text) return false;
  return true;
}

/** The first few objects that differ. */
export function difference(expected: State, actual: State, most = 5): string {
  const keys = [...new Set([...expected.keys(), ...actual.keys()])].sort();
  const different = keys.filter((key) => expected.get(key) !== actual.get(key));
  const lines = different.slice(0, most).map((key) => {
    const [was, is] = [expected.get(key), actual.get(key)];
    if (was === undefined) return `left over: ${key}\n  ${is}`;
    if (is === undefined) return `missing: ${key}`;
    const from = [...was].findIndex((letter, index) => letter !== is[index]);
    const start = Math.max(0, from - 80);
    return `${key}\n  expected …${was.slice(start, from + 120)}…\n  is       …${is.slice(start, from + 120)}…`;
  });
  return [`${different.length} of ${keys.length} objects differ`, ...lines].join('\n');
}
