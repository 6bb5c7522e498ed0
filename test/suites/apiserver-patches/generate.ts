/** Patches of every type from a seed, for an object that is there: most make sense, some do not. */

import type { Random } from '@fleet/differential/random.ts';
import { isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import type { TriedKind } from './kinds.ts';
import { make, makeElements, type Shape } from './shape.ts';

export type Action = 'create' | 'update' | 'apply' | 'json' | 'merge' | 'strategic';

export const mergePatchOf = (kind: TriedKind, random: Random): JsonValue =>
  random.chance(0.02) ? random.pick([[], 'x', null]) : sparse(kind.shape, random, false);

export const strategicPatchOf = (kind: TriedKind, random: Random): JsonValue => sparse(kind.shape, random, true);

/** Any of the fields, some null; with directives if it is strategic. */
function sparse(shape: Shape, random: Random, strategic: boolean): JsonValue {
  if (random.chance(shape.is === 'scalar' ? 0.15 : 0.06)) return null;
  if (random.chance(0.01)) return random.pick(['wrong', 7, [], {}]);
  if (shape.is === 'scalar') return make(shape, random);
  if (shape.is === 'list') return listPatch(shape, random, strategic);
  const patch: JsonObject = {};
  const fields = shape.is === 'map' ? shape.keys.map((key) => [key, shape.of] as const) : Object.entries(shape.fields);
  // What lies deep would hardly be met otherwise.
  const chance = (field: Shape) => (field.is === 'scalar' ? 0.35 : 0.6);
  for (const [name, field] of fields) if (random.chance(chance(field))) patch[name] = sparse(field, random, strategic);
  if (strategic) direct(patch, shape, random);
  return patch;
}

function listPatch(shape: Shape & { is: 'list' }, random: Random, strategic: boolean): JsonValue[] {
  const elements = makeElements(shape, random, 0.3);
  const [key] = shape.keys;
  if (!strategic || key === undefined) return elements;
  const directed = elements.map((element) =>
    random.chance(0.35) && isObject(element) ? { $patch: 'delete', [key]: element[key]! } : element,
  );
  return random.chance(0.06)
    ? [...directed, { $patch: random.pick(['replace', 'replace', 'merge', 'drop']) }]
    : directed;
}

function direct(patch: JsonObject, shape: Shape, random: Random): void {
  if (random.chance(0.03)) patch['$patch'] = random.pick(['replace', 'delete', 'delete', 'other']);
  if (shape.is !== 'object') return;
  if (random.chance(0.04)) patch['$retainKeys'] = Object.keys(shape.fields).filter(() => random.chance(0.7));
  for (const [name, field] of Object.entries(shape.fields)) {
    if (field.is !== 'list' || !field.merges) continue;
    if (random.chance(0.15)) patch[`$setElementOrder/${name}`] = orderFor(field, patch[name], random);
    // Not beside the list itself: Go obeys whichever its map yields first.
    if (field.keys.length === 0 && patch[name] === undefined && random.chance(0.3)) {
      patch[`$deleteFromPrimitiveList/${name}`] = makeElements(field, random, 1);
    }
  }
}

/** Mostly names all that the patch has, in its order. */
function orderFor(shape: Shape & { is: 'list' }, patched: JsonValue | undefined, random: Random): JsonValue[] {
  const named = Array.isArray(patched) && random.chance(0.8) ? patched : [];
  const more = makeElements(shape, random, 0);
  const [key] = shape.keys;
  if (key === undefined) return [...new Set([...named, ...more])];
  const values = new Set(
    [...named, ...more].flatMap((one) => (isObject(one) && one[key] !== undefined ? [one[key]] : [])),
  );
  return [...values].map((value) => ({ [key]: value! }));
}

/** Pointers to all that a patch may change. */
function* pointers(value: JsonValue, path: string): Generator<string> {
  if (path) yield path;
  if (value === null || typeof value !== 'object') return;
  for (const [key, one] of Object.entries(value)) {
    yield* pointers(one, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const untouchable =
  /^\/(apiVersion|kind|status|metadata($|\/(name|namespace|uid|managedFields|resourceVersion|creationTimestamp|generation)))/;

export function jsonPatchOf(live: JsonObject, random: Random): JsonValue {
  if (random.chance(0.03))
    return random.pick([{}, 'x', [1], [{ op: 1 }], null, [{ op: 'remove', path: '/spec', odd: 1 }]]);
  const known = [...pointers(live, '')].filter((path) => !untouchable.test(path));
  const place = () => {
    const path = known.length > 0 ? random.pick(known) : '/metadata/labels';
    return random.weighted([
      [6, path],
      [1, `${path}/-`],
      [0.5, `${path}/0`],
      [0.5, `${path}/x`],
      [1, path.replace(/[^/]*$/, 'new')],
      [0.3, `${path}/-1`],
      [0.1, path.slice(1)],
      [0.1, ''],
    ]);
  };
  const valueAt = (path: string): JsonValue => {
    const parts = path
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return parts.reduce<JsonValue>(
      (value, part) => (isObject(value) || Array.isArray(value) ? ((value as JsonObject)[part] ?? null) : null),
      live,
    );
  };
  const value = () =>
    random.weighted<() => JsonValue>([
      [3, () => random.pick(['1', '2', 80, null, true])],
      [3, () => (known.length > 0 ? valueAt(random.pick(known)) : 'x')],
      [1, () => ({})],
      [1, () => []],
    ])();
  return Array.from({ length: 1 + random.below(2) }, () => {
    const op = random.chance(0.02)
      ? 'odd'
      : random.pick(['add', 'add', 'remove', 'replace', 'replace', 'move', 'copy', 'test']);
    const path = place();
    if (op === 'remove') return { op, path };
    if (op === 'move' || op === 'copy') return { op, path, from: place() };
    if (op === 'test') return { op, path, value: testable(random.chance(0.7) ? valueAt(path) : value()) };
    return random.chance(0.95) ? { op, path, value: value() } : { op, path };
  });
}

/** kube-apiserver compares texts, and escapes its own: `<` is never equal to `<`. */
const testable = (value: JsonValue): JsonValue => (/[<>&\u2028]/.test(jsonText(value)) ? 'x' : value);

/** A configuration to apply: some of the fields, with what each element needs. */
export function configOf(kind: TriedKind, random: Random): JsonObject {
  const config = make(kind.shape, random, random.pick([0.2, 0.4, 0.6])) as JsonObject;
  if (random.chance(0.03)) config[random.pick(['dat', 'spec', 'metadata'])] = random.pick(['x', 1, [], { odd: 1 }]);
  return config;
}
