/** Operators. The evaluator implements `&&`, `||` and `?:` itself, as they evaluate their operands lazily. */

import type { FunctionDeclaration, Library } from '../environment.ts';
import * as types from '../types.ts';
import {
  compare,
  Duration,
  EvaluationError,
  equal,
  ListValue,
  MapValue,
  noSuchOverload,
  Optional,
  sizeOf,
  Timestamp,
  Uint,
  type Value,
} from '../values.ts';
import { declare, free, inRange, member, unsigned } from './declare.ts';

const { bool, bytes, double, duration, dyn, int, list, map, optional, param, string, timestamp, uint } = types;
const [a, b] = [param('A'), param('B')];
const [listOfA, mapOfAB] = [list(a), map(a, b)];

const onlyHere = (): never => {
  throw noSuchOverload();
};

const smallestTime = -62_135_596_800n * 1_000_000_000n;
const largestTime = 253_402_300_799n * 1_000_000_000n + 999_999_999n;

function time(nanos: bigint): Timestamp {
  if (nanos < smallestTime || nanos > largestTime) throw new EvaluationError('timestamp overflow');
  return new Timestamp(nanos);
}
const span = (nanos: bigint): Duration => new Duration(inRange(nanos, 'duration overflow'));

function add([left, right]: readonly Value[]): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return inRange(left + right);
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (left instanceof Uint && right instanceof Uint) return new Uint(unsigned(left.value + right.value));
  if (left instanceof ListValue && right instanceof ListValue) return left.plus(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.concat([left, right]);
  if (left instanceof Duration && right instanceof Duration) return span(left.nanos + right.nanos);
  if (left instanceof Timestamp && right instanceof Duration) return time(left.nanos + right.nanos);
  if (left instanceof Duration && right instanceof Timestamp) return time(left.nanos + right.nanos);
  throw noSuchOverload();
}

function subtract([left, right]: readonly Value[]): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return inRange(left - right);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (left instanceof Uint && right instanceof Uint) return new Uint(unsigned(left.value - right.value));
  if (left instanceof Duration && right instanceof Duration) return span(left.nanos - right.nanos);
  if (left instanceof Timestamp && right instanceof Duration) return time(left.nanos - right.nanos);
  if (left instanceof Timestamp && right instanceof Timestamp) return span(left.nanos - right.nanos);
  throw noSuchOverload();
}

const arithmetic =
  (onInts: (x: bigint, y: bigint) => bigint, onDoubles?: (x: number, y: number) => number) =>
  ([left, right]: readonly Value[]): Value => {
    if (typeof left === 'bigint' && typeof right === 'bigint') return inRange(onInts(left, right));
    if (left instanceof Uint && right instanceof Uint) return new Uint(unsigned(onInts(left.value, right.value)));
    if (onDoubles && typeof left === 'number' && typeof right === 'number') return onDoubles(left, right);
    throw noSuchOverload();
  };

const orFail = (message: string, compute: (x: bigint, y: bigint) => bigint) => (x: bigint, y: bigint) => {
  if (y === 0n) throw new EvaluationError(message);
  return compute(x, y);
};

const numbers = (name: string) => [
  free(`${name}_int64`, [int, int], int),
  free(`${name}_uint64`, [uint, uint], uint),
  free(`${name}_double`, [double, double], double),
];

const comparable = [
  ['bool', bool, bool],
  ['int64', int, int],
  ['int64_double', int, double],
  ['int64_uint64', int, uint],
  ['uint64', uint, uint],
  ['uint64_double', uint, double],
  ['uint64_int64', uint, int],
  ['double', double, double],
  ['double_int64', double, int],
  ['double_uint64', double, uint],
  ['string', string, string],
  ['bytes', bytes, bytes],
  ['timestamp', timestamp, timestamp],
  ['duration', duration, duration],
] as const;

const relation = (name: string, holds: (order: number) => boolean): FunctionDeclaration =>
  declare(
    comparable.map(([suffix, left, right]) => free(`${name}_${suffix}`, [left, right], bool)),
    ([left, right]) => holds(compare(left!, right!)),
  );

function indexed(container: Value, key: Value): Value | undefined {
  if (container instanceof MapValue) return container.find(key);
  if (!(container instanceof ListValue)) throw noSuchOverload();
  const index = key instanceof Uint ? key.value : key;
  const whole = typeof index === 'number' && Number.isInteger(index) ? BigInt(index) : index;
  if (typeof whole !== 'bigint')
    throw new EvaluationError(`unsupported index type '${types.formatType(types.string)}' in list`);
  return whole >= 0n && whole < BigInt(container.size) ? container.at(Number(whole)) : undefined;
}

const missing = (container: Value, key: Value): EvaluationError =>
  new EvaluationError(
    container instanceof ListValue ? `index out of bounds: ${shownKey(key)}` : `no such key: ${shownKey(key)}`,
  );
export const shownKey = (key: Value): string => (key instanceof Uint ? String(key.value) : String(key));

function index([container, key]: readonly Value[]): Value {
  if (container instanceof Optional) return optionalIndex([container, key!]);
  const found = indexed(container!, key!);
  if (found === undefined) throw missing(container!, key!);
  return found;
}

function optionalIndex([container, key]: readonly Value[]): Value {
  const inner = container instanceof Optional ? container.value : container;
  return new Optional(inner === undefined ? undefined : indexed(inner, key!));
}

function contains([element, container]: readonly Value[]): Value {
  if (container instanceof MapValue) return container.find(element!) !== undefined;
  if (!(container instanceof ListValue)) throw noSuchOverload();
  for (const one of container) if (equal(one, element!)) return true;
  return false;
}

function size([value]: readonly Value[]): Value {
  const found = sizeOf(value!);
  if (found === undefined) throw noSuchOverload();
  return BigInt(found);
}

function negate([value]: readonly Value[]): Value {
  if (typeof value === 'bigint') return inRange(-value);
  if (typeof value === 'number') return -value;
  throw noSuchOverload();
}

function not([value]: readonly Value[]): Value {
  if (typeof value !== 'boolean') throw noSuchOverload();
  return !value;
}

export const operators: Library = {
  '_?_:_': declare([free('conditional', [bool, a, a], a)], onlyHere),
  '_&&_': declare([free('logical_and', [bool, bool], bool)], onlyHere),
  '_||_': declare([free('logical_or', [bool, bool], bool)], onlyHere),
  '@not_strictly_false': declare([free('not_strictly_false', [bool], bool)], onlyHere),
  '!_': declare([free('logical_not', [bool], bool)], not),
  '-_': declare([free('negate_double', [double], double), free('negate_int64', [int], int)], negate),
  '_==_': declare([free('equals', [a, a], bool)], ([left, right]) => equal(left!, right!)),
  '_!=_': declare([free('not_equals', [a, a], bool)], ([left, right]) => !equal(left!, right!)),
  '_+_': declare(
    [
      free('add_bytes', [bytes, bytes], bytes),
      free('add_double', [double, double], double),
      free('add_duration_duration', [duration, duration], duration),
      free('add_duration_timestamp', [duration, timestamp], timestamp),
      free('add_timestamp_duration', [timestamp, duration], timestamp),
      free('add_int64', [int, int], int),
      free('add_list', [listOfA, listOfA], listOfA),
      free('add_string', [string, string], string),
      free('add_uint64', [uint, uint], uint),
    ],
    add,
  ),
  '_-_': declare(
    [
      free('subtract_double', [double, double], double),
      free('subtract_duration_duration', [duration, duration], duration),
      free('subtract_int64', [int, int], int),
      free('subtract_timestamp_duration', [timestamp, duration], timestamp),
      free('subtract_timestamp_timestamp', [timestamp, timestamp], duration),
      free('subtract_uint64', [uint, uint], uint),
    ],
    subtract,
  ),
  '_*_': declare(
    numbers('multiply'),
    arithmetic(
      (x, y) => x * y,
      (x, y) => x * y,
    ),
  ),
  '_/_': declare(
    numbers('divide'),
    arithmetic(
      orFail('division by zero', (x, y) => x / y),
      (x, y) => x / y,
    ),
  ),
  '_%_': declare(numbers('modulo').slice(0, 2), arithmetic(orFail('modulus by zero', (x, y) => x % y))),
  '_<_': relation('less', (order) => order < 0),
  '_<=_': relation('less_equals', (order) => order <= 0),
  '_>_': relation('greater', (order) => order > 0),
  '_>=_': relation('greater_equals', (order) => order >= 0),
  '@in': declare([free('in_list', [a, listOfA], bool), free('in_map', [a, mapOfAB], bool)], contains),
  '_[_]': declare(
    [
      free('index_list', [listOfA, int], a),
      free('index_map', [mapOfAB, a], b),
      free('optional_list_index_int', [optional(listOfA), int], optional(a)),
      free('optional_map_index_value', [optional(mapOfAB), a], optional(b)),
    ],
    index,
  ),
  '_[?_]': declare(
    [
      free('list_optindex_optional_int', [listOfA, int], optional(a)),
      free('optional_list_optindex_optional_int', [optional(listOfA), int], optional(a)),
      free('map_optindex_optional_value', [mapOfAB, a], optional(b)),
      free('optional_map_optindex_optional_value', [optional(mapOfAB), a], optional(b)),
    ],
    optionalIndex,
  ),
  '_?._': declare([free('select_optional_field', [dyn, string], optional(a))], onlyHere),
  size: declare(
    [
      free('size_bytes', [bytes], int),
      member('bytes_size', [bytes], int),
      free('size_list', [listOfA], int),
      member('list_size', [listOfA], int),
      free('size_map', [mapOfAB], int),
      member('map_size', [mapOfAB], int),
      free('size_string', [string], int),
      member('string_size', [string], int),
    ],
    size,
  ),
};
