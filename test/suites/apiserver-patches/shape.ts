/** What objects of a kind may look like: small pools, so that generated objects and patches meet in the same fields. */

import type { Random } from '@fleet/differential/random.ts';
import { type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';

export type Shape =
  | { is: 'scalar'; pool: readonly JsonValue[] }
  | { is: 'object'; fields: { [name: string]: Shape }; always: readonly string[] }
  | { is: 'map'; keys: readonly string[]; of: Shape }
  | { is: 'list'; of: Shape; keys: readonly string[]; merges: boolean };

export const oneOf = (...pool: JsonValue[]): Shape => ({ is: 'scalar', pool });
export const object = (fields: { [name: string]: Shape }, ...always: string[]): Shape => ({
  is: 'object',
  fields,
  always,
});
export const map = (keys: readonly string[], of: Shape): Shape => ({ is: 'map', keys, of });
/** Elements are distinguished by these keys; the first is the merge key. */
export const listBy = (keys: readonly string[], of: Shape): Shape => ({ is: 'list', of, keys, merges: true });
/** Scalars that merge as a set. */
export const setOf = (of: Shape): Shape => ({ is: 'list', of, keys: [], merges: true });
export const listOf = (of: Shape): Shape => ({ is: 'list', of, keys: [], merges: false });

/** How much of what could be there is there. */
export function make(shape: Shape, random: Random, density = 0.5): JsonValue {
  switch (shape.is) {
    case 'scalar':
      return random.pick(shape.pool);
    case 'map': {
      const made: JsonObject = {};
      for (const key of shape.keys) if (random.chance(density)) made[key] = make(shape.of, random, density);
      return made;
    }
    case 'object': {
      const made: JsonObject = {};
      for (const [name, field] of Object.entries(shape.fields)) {
        if (shape.always.includes(name) || random.chance(density)) setField(made, name, make(field, random, density));
      }
      return made;
    }
    case 'list':
      return makeElements(shape, random, density);
  }
}

export function makeElements(shape: Shape & { is: 'list' }, random: Random, density: number): JsonValue[] {
  const elements = Array.from({ length: random.below(4) }, () => make(shape.of, random, density));
  if (!shape.merges) return elements;
  return [...new Map(elements.map((element) => [keyText(element, shape.keys), element])).values()];
}

export const keyText = (element: JsonValue, keys: readonly string[]): string =>
  keys.length === 0 ? String(element) : keys.map((key) => String((element as JsonObject)[key])).join();
