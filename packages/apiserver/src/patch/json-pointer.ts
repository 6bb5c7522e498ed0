/** Resolves JSON pointers: the container of a value and its key in it, as evanphx/json-patch does. */

import { fieldOf, isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';

/** An error inside a container; the operation adds the path. */
export class PointerError extends Error {}

const invalidIndex = (index: number) =>
  new PointerError(`Unable to access invalid index: ${index}: invalid index referenced`);

/** The library treats `null` like an absent value, except that `null` can be removed. */
export interface Container {
  get(key: string): JsonValue;
  replace(key: string, value: JsonValue): void;
  add(key: string, value: JsonValue): void;
  remove(key: string): void;
}

/** The container at which `path` ends; undefined if a part of the path is missing or is not a container. */
export function find(root: JsonValue, path: string): { container: Container; key: string } | undefined {
  // Text before the first slash is ignored.
  const [, ...parts] = path.split('/').map(unescaped);
  const key = parts.pop();
  if (key === undefined) return undefined;
  let container = containerOf(root);
  for (const part of parts) {
    if (!container) return undefined;
    container = stepInto(container, part);
  }
  return container && { container, key };
}

function stepInto(container: Container, part: string): Container | undefined {
  try {
    return containerOf(container.get(part));
  } catch (error) {
    if (error instanceof PointerError) return undefined;
    throw error;
  }
}

const unescaped = (part: string): string => part.replace(/~[01]/g, (sign) => (sign === '~1' ? '/' : '~'));

const containerOf = (value: JsonValue): Container | undefined => {
  if (Array.isArray(value)) return inList(value);
  return isObject(value) ? inObject(value) : undefined;
};

const inObject = (object: JsonObject): Container => ({
  get: (key) => fieldOf(object, key) ?? null,
  // The key need not exist.
  replace: (key, value) => setField(object, key, value),
  add: (key, value) => setField(object, key, value),
  remove(key) {
    if (!Object.hasOwn(object, key)) {
      throw new PointerError(`Unable to remove nonexistent key: ${key}: missing value`);
    }
    delete object[key];
  },
});

const inList = (list: JsonValue[]): Container => ({
  get: (key) => list[position(key, list.length)]!,
  replace(key, value) {
    list[position(key, list.length)] = value;
  },
  add(key, value) {
    if (key === '-') list.push(value);
    else list.splice(position(key, list.length + 1, true), 0, value);
  },
  remove(key) {
    list.splice(position(key, list.length), 1);
  },
});

/** A negative index counts from the end. */
function position(key: string, length: number, adding = false): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  if (!Number.isSafeInteger(index)) {
    const problem = Number.isNaN(index) ? 'invalid syntax' : 'value out of range';
    const parsing = `strconv.Atoi: parsing ${JSON.stringify(key)}: ${problem}`;
    throw new PointerError(adding ? `value was not a proper array index: '${key}': ${parsing}` : parsing);
  }
  if (index >= length || index < -length) throw invalidIndex(index);
  return index < 0 ? index + length : index;
}
