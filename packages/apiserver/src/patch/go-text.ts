/** Formats values as Go does in error texts: `%v`, the names of types, and the kinds of its JSON decoder. */

import { isObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { goNumber } from '../errors/go-number.ts';

/** As in `json: cannot unmarshal object into …`. */
export function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'object':
      return 'object';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'number';
  }
}

/** `%T` of a decoded value. */
export function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'int64' : 'float64';
}

/** `%v`: maps with sorted keys. */
export function goText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort(compareText);
    return `map[${keys.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`;
  }
  return typeof value === 'number' ? goNumber(value) : String(value);
}

/** `%#v`: as Go source. */
export function goSource(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSource).join(', ')}}`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort(compareText);
    return `map[string]interface {}{${keys.map((key) => `${JSON.stringify(key)}:${goSource(value[key]!)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : goText(value);
}

/** JSON as Go writes it: sorted keys, HTML characters escaped. */
export function goJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort(compareText);
    return `{${keys.map((key) => `${goJson(key)}:${goJson(value[key]!)}`).join(',')}}`;
  }
  return jsonText(value).replace(/[<>&\u2028\u2029]/g, escaped);
}

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

const unordered = /[\ud800-\uffff]/;

/** Go compares strings by their UTF-8 bytes, JavaScript by UTF-16 units: they differ beyond U+FFFF. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (!unordered.test(left) && !unordered.test(right)) return left < right ? -1 : 1;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one === other) continue;
    const isPair = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
    if (isPair(one) !== isPair(other)) return isPair(one) ? 1 : -1;
    return one < other ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}
