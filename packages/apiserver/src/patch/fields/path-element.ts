/** One step of a path to a field: a name, the keys or the value of a list's element, or an index (FieldsV1). */

import { isObject, type JsonObject, type JsonValue, jsonText, parseJson } from '@fleet/kube/json-value.ts';
import { goNumber } from '../../errors/go-number.ts';
import { quoted } from '../../errors/quoted.ts';
import { compareText, goJson } from '../go-text.ts';

export type PathElement = { text: string } & (
  | { by: 'name'; name: string }
  | { by: 'key'; key: readonly KeyField[] }
  | { by: 'value'; value: JsonValue }
  | { by: 'index'; index: number }
);

type KeyField = readonly [name: string, value: JsonValue];

/** `text` is the step in FieldsV1; equal steps have equal texts. */
export const byName = (name: string): PathElement => ({ by: 'name', name, text: `f:${name}` });

export const byIndex = (index: number): PathElement => ({ by: 'index', index, text: `i:${index}` });

export const byValue = (value: JsonValue): PathElement => ({ by: 'value', value, text: `v:${goJson(value)}` });

export function byKey(fields: readonly KeyField[]): PathElement {
  const key = [...fields].sort(([left], [right]) => compareText(left, right));
  const text = key.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(',');
  return { by: 'key', key, text: `k:{${text}}` };
}

/** Undefined for an unknown kind of step, which a later version may define; throws for an invalid one. */
export function readPathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return byName(rest);
    case 'v':
      return byValue(parseJson(rest));
    case 'k':
      return byKey(Object.entries(objectIn(rest)));
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new SyntaxError(`strconv.Atoi: parsing "${rest}": invalid syntax`);
      return byIndex(Number(rest));
    default:
      return undefined;
  }
}

function objectIn(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new SyntaxError(`expected an object: ${text}`);
  return value;
}

const rank = { name: 0, key: 1, value: 2, index: 3 };

/** Go's order: names, keys, values, indexes. */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (left.by === 'name' && right.by === 'name') return compareText(left.name, right.name);
  if (left.by === 'key' && right.by === 'key') return compareKeys(left.key, right.key);
  if (left.by === 'value' && right.by === 'value') return compareValues(left.value, right.value);
  if (left.by === 'index' && right.by === 'index') return left.index - right.index;
  return rank[left.by] - rank[right.by];
}

function compareKeys(left: readonly KeyField[], right: readonly KeyField[]): number {
  for (const [at, [name, value]] of left.entries()) {
    const other = right[at];
    if (!other) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const valueRank = (value: JsonValue): number => {
  if (value === null) return 5;
  if (Array.isArray(value)) return 3;
  return { number: 0, bigint: 0, string: 1, boolean: 2, object: 4 }[typeof value as 'number'];
};

/** Numbers, then strings, then booleans. Other types in a key were refused before. */
function compareValues(left: JsonValue, right: JsonValue): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  const ranks = valueRank(left) - valueRank(right);
  if (ranks !== 0) return ranks;
  if (left === null || right === null || typeof left === 'object' || typeof right === 'object') {
    return compareText(jsonText(left), jsonText(right));
  }
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The path in error texts. */
export const pathText = (path: readonly PathElement[]): string => path.map(stepText).join('');

export function stepText(step: PathElement): string {
  switch (step.by) {
    case 'name':
      return `.${step.name}`;
    case 'key':
      return `[${step.key.map(([name, value]) => `${name}=${shown(value)}`).join(',')}]`;
    case 'value':
      return `[=${shown(step.value)}]`;
    case 'index':
      return `[${step.index}]`;
  }
}

function shown(value: JsonValue): string {
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(',')}]`;
  if (isObject(value))
    return Object.entries(value)
      .map(([key, one]) => `${key}=${shown(one)}`)
      .join('');
  return String(value);
}
