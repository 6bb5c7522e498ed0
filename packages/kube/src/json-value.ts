/** Parses and writes JSON without losing digits: an integer that fits Go's int64 but not a double is a bigint. */

import { openBrace, openBracket } from './json-signs.ts';

export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** Far deeper than any real object, far less than recursion can handle (Go's limit is 10,000). */
const deepest = 1_000;

const smallestInt64 = -(2n ** 63n);
const largestInt64 = 2n ** 63n - 1n;

/** From ES2026; TypeScript has no types for them yet. */
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: JsonValue, context: { source?: string }) => JsonValue): JsonValue;
  rawJSON(text: string): unknown;
};

/** Throws SyntaxError if the text is not JSON. */
export function parseJson(text: string): JsonValue {
  const value = /\d{16}/.test(text) ? json.parse(text, exactInteger) : (JSON.parse(text) as JsonValue);
  refuseDepth(text, value);
  return value;
}

/** As in Go: an integer literal within 64 bits stays an integer, everything else is a double. */
function exactInteger(_key: string, value: JsonValue, { source }: { source?: string }): JsonValue {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !source || !/^-?\d+$/.test(source)) return value;
  const exact = BigInt(source);
  return exact >= smallestInt64 && exact <= largestInt64 ? exact : value;
}

function refuseDepth(text: string, root: JsonValue): void {
  // Most texts do not have enough brackets to be too deep.
  if (!hasManyBrackets(text)) return;
  let level: JsonValue[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new SyntaxError('exceeded max depth');
    level = level.flatMap((value) => (value === null || typeof value !== 'object' ? [] : Object.values(value)));
  }
}

function hasManyBrackets(text: string): boolean {
  let left = deepest;
  for (let at = 0; at < text.length && left >= 0; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === openBrace || sign === openBracket) left -= 1;
  }
  return left < 0;
}

export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Bigints are rare, and checking each value would cost three times as much.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, one: JsonValue) => (typeof one === 'bigint' ? json.rawJSON(String(one)) : one));
  }
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads own properties only: `constructor` and the like exist only if somebody sent them. */
export const fieldOf = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets a field whatever its name: assigning `__proto__` would change the object's prototype. */
export function setField(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

export function copyJson<Value extends JsonValue>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyJson) as Value;
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, one] of Object.entries(value)) setField(copy, key, copyJson(one));
  return copy as Value;
}

export function equalJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((one, index) => equalJson(one, right[index]!))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key]!, right[key]!))
  );
}
