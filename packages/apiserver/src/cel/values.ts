/** Values of expressions. An int is a bigint, a double a number; other types without a JavaScript equivalent are classes. */

import type { Type } from './types.ts';
import * as types from './types.ts';

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Duration
  | Timestamp
  | Optional
  | TypeValue
  | ListValue
  | MapValue
  | Foreign;

/** An error during evaluation. `||`, `&&` and loops over them may absorb it. */
export class EvaluationError extends Error {}

export const noSuchOverload = (): EvaluationError => new EvaluationError('no such overload');

export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Timestamp {
  /** Since 1970. */
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Optional {
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const none = new Optional(undefined);

export class TypeValue {
  readonly type: Type;
  constructor(type: Type) {
    this.type = type;
  }
}

export abstract class ListValue {
  abstract readonly size: number;
  abstract at(index: number): Value;

  *[Symbol.iterator](): Generator<Value> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }

  equals(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) if (!equal(this.at(index), other.at(index))) return false;
    return true;
  }

  plus(other: ListValue): ListValue {
    return new PlainList([...this, ...other]);
  }
}

/** The first elements of an array. */
export class PlainList extends ListValue {
  readonly #elements: Value[];
  readonly size: number;
  constructor(elements: Value[], size = elements.length) {
    super();
    this.#elements = elements;
    this.size = size;
  }
  at(index: number): Value {
    return this.#elements[index]!;
  }
  /** Whoever extended the array last may extend it in place: loops that append take linear time. */
  override plus(other: ListValue): ListValue {
    const elements = this.size === this.#elements.length ? this.#elements : this.#elements.slice(0, this.size);
    for (let index = 0; index < other.size; index++) elements.push(other.at(index));
    return new PlainList(elements);
  }
}

/** A map, or an object with known fields. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract readonly type: Type;
  abstract find(key: Value): Value | undefined;
  abstract keys(): Value[];

  equals(other: MapValue): boolean {
    if (this.size !== other.size) return false;
    return this.keys().every((key) => {
      const [left, right] = [this.find(key), other.find(key)];
      return left !== undefined && right !== undefined && equal(left, right);
    });
  }
}

export class PlainMap extends MapValue {
  readonly entries = new Map<string, { key: Value; value: Value }>();
  readonly type = types.map(types.dyn, types.dyn);

  constructor(entries: Iterable<readonly [Value, Value]>) {
    super();
    for (const [key, value] of entries) {
      const text = keyText(key);
      if (this.entries.has(text)) throw new EvaluationError(`Failed with repeated key`);
      this.entries.set(text, { key, value });
    }
  }
  get size(): number {
    return this.entries.size;
  }
  find(key: Value): Value | undefined {
    return this.entries.get(keyText(key))?.value;
  }
  keys(): Value[] {
    return [...this.entries.values()].map(({ key }) => key);
  }
}

/** Equal numbers are the same key, whatever their type. */
export function keyText(key: Value): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
  throw new EvaluationError(`unsupported key type: ${typeOf(key).name}`);
}

/** A value of a library. */
export abstract class Foreign {
  abstract readonly type: Type;
  abstract equals(other: Foreign): boolean;
  /** The size for the cost. */
  readonly size: number | undefined;
}

export function typeOf(value: Value): Type {
  if (value === null) return types.nullType;
  switch (typeof value) {
    case 'boolean':
      return types.bool;
    case 'bigint':
      return types.int;
    case 'number':
      return types.double;
    case 'string':
      return types.string;
  }
  if (value instanceof ListValue) return types.list(types.dyn);
  if (value instanceof MapValue) return value.type;
  if (value instanceof Uint8Array) return types.bytes;
  if (value instanceof Uint) return types.uint;
  if (value instanceof Duration) return types.duration;
  if (value instanceof Timestamp) return types.timestamp;
  if (value instanceof Optional) return types.optional(types.dyn);
  if (value instanceof TypeValue) return types.typeType;
  return value.type;
}

const numeric = (value: Value): bigint | number | undefined => {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
};

export function equal(a: Value, b: Value): boolean {
  const [left, right] = [numeric(a), numeric(b)];
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by value
  if (left !== undefined && right !== undefined) return left == right;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a instanceof ListValue) return b instanceof ListValue && a.equals(b);
  if (a instanceof MapValue) return b instanceof MapValue && a.equals(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.type.name === b.type.name;
  if (a instanceof Optional) {
    if (!(b instanceof Optional)) return false;
    return a.value === undefined || b.value === undefined ? a.value === b.value : equal(a.value, b.value);
  }
  return a instanceof Foreign && b instanceof Foreign && a.type.name === b.type.name && a.equals(b);
}

/** Negative, zero or positive. */
export function compare(a: Value, b: Value): number {
  const [left, right] = [numeric(a), numeric(b)];
  if (left !== undefined && right !== undefined) {
    if (Number.isNaN(left) || Number.isNaN(right)) throw new EvaluationError('NaN values cannot be ordered');
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if ((a instanceof Duration && b instanceof Duration) || (a instanceof Timestamp && b instanceof Timestamp)) {
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  }
  throw noSuchOverload();
}

/** By code points, which is the order of UTF-8 bytes. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The result of `size()`, also used for the cost; undefined for types without a size. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue || value instanceof MapValue || value instanceof Foreign) return value.size;
  return undefined;
}

export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) count--;
  }
  return count;
}
