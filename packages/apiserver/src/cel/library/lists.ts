/** The library of lists, sets and maps: Kubernetes' own functions, and cel-go's extensions. */

import type { Library } from '../environment.ts';
import * as types from '../types.ts';
import {
  compare,
  Duration,
  EvaluationError,
  equal,
  ListValue,
  MapValue,
  noSuchOverload,
  PlainList,
  PlainMap,
  typeOf,
  Uint,
  type Value,
} from '../values.ts';
import { asInt, declare, free, member } from './declare.ts';
import { operators } from './operators.ts';

const { bool, bytes, double, duration, dyn, int, list, map, param, string, timestamp, uint } = types;
const t = param('T');
const listOfT = list(t);
const mapOfKV = map(param('K'), param('V'));

/** By their names in overloads. */
const comparable = { int, uint, double, bool, duration, timestamp, string, bytes };
const summable = { int, uint, double, duration };
const zero: { [name: string]: Value } = { int: 0n, uint: new Uint(0n), double: 0, duration: new Duration(0n) };

function asList(value: Value | undefined): ListValue {
  if (!(value instanceof ListValue)) throw noSuchOverload();
  return value;
}

function isSorted([values]: readonly Value[]): Value {
  const all = [...asList(values)];
  return all.every((one, index) => index === 0 || compare(all[index - 1]!, one) <= 0);
}

function sum([values]: readonly Value[]): Value {
  const all = [...asList(values)];
  const [first] = all;
  const start =
    first === undefined ? 0n : (Object.values(zero).find((one) => typeOf(one).kind === typeOf(first).kind) ?? 0n);
  return all.reduce((left, right) => operators['_+_']!.call([left, right], undefined as never), start);
}

const extreme =
  (name: string, sign: number) =>
  (args: readonly Value[]): Value => {
    const all = [...asList(args[0])];
    if (all.length === 0) throw new EvaluationError(`${name} called on empty list`);
    return all.reduce((best, one) => (compare(best, one) * sign < 0 ? one : best));
  };

function indexOf([values, element]: readonly Value[]): Value {
  return BigInt([...asList(values)].findIndex((one) => equal(one, element!)));
}

function lastIndexOf([values, element]: readonly Value[]): Value {
  return BigInt([...asList(values)].findLastIndex((one) => equal(one, element!)));
}

function slice([values, from, to]: readonly Value[]): Value {
  const all = asList(values);
  const [start, end] = [asInt(from), asInt(to)];
  const fail = (why: string) => new EvaluationError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0n || end < 0n) throw fail('negative indexes not supported');
  if (start > end) throw fail('start index must be less than or equal to end index');
  if (BigInt(all.size) < end) throw fail(`list is length ${all.size}`);
  return new PlainList([...all].slice(Number(start), Number(end)));
}

function flattened(values: ListValue, depth: bigint): Value[] {
  if (depth < 0n) throw new EvaluationError('level must be non-negative');
  return [...values].flatMap((one) => (one instanceof ListValue && depth > 0n ? flattened(one, depth - 1n) : [one]));
}

function sortedBy(values: ListValue, keys: ListValue): Value {
  if (values.size === 0) return values;
  const all = [...keys].map((key, index) => ({ key, value: values.at(index) }));
  const kind = typeOf(all[0]!.key).kind;
  if (all.some(({ key }) => typeOf(key).kind !== kind))
    throw new EvaluationError('list elements must have the same type');
  return new PlainList(all.sort((a, b) => compare(a.key, b.key)).map(({ value }) => value));
}

function range([count]: readonly Value[]): Value {
  return new PlainList(Array.from({ length: Math.max(0, Number(asInt(count))) }, (_, index) => BigInt(index)));
}

function distinct([values]: readonly Value[]): Value {
  const seen: Value[] = [];
  for (const one of asList(values)) if (!seen.some((other) => equal(one, other))) seen.push(one);
  return new PlainList(seen);
}

const holdsAll = (whole: ListValue, part: ListValue): boolean =>
  [...part].every((element) => [...whole].some((one) => equal(one, element)));

function insert([target, key, value]: readonly Value[]): Value {
  if (!(target instanceof MapValue)) throw noSuchOverload();
  const entries = target.keys().map((one): [Value, Value] => [one, target.find(one)!]);
  if (value !== undefined) return withEntry(target, entries, key!, value);
  if (!(key instanceof MapValue)) throw noSuchOverload();
  return key.keys().reduce<Value>((made, one) => insert([made, one, key.find(one)!]), target);
}

function withEntry(target: MapValue, entries: [Value, Value][], key: Value, value: Value): Value {
  if (target.find(key) !== undefined) throw new EvaluationError(`insert failed: key ${String(key)} already exists`);
  return new PlainMap([...entries, [key, value]]);
}

const perType = (
  named: { [name: string]: types.Type },
  overload: (name: string, type: types.Type) => ReturnType<typeof member>,
) => Object.entries(named).map(([name, type]) => overload(name, type));

/** cel-go's own extension uses full type names. */
const fullName = (type: types.Type): string => type.name;

export const lists: Library = {
  isSorted: declare(
    perType(comparable, (name, type) => member(`list_${name}_is_sorted_bool`, [list(type)], bool)),
    isSorted,
  ),
  sum: declare(
    perType(summable, (name, type) => member(`list_${name}_sum_${name}`, [list(type)], type)),
    sum,
  ),
  max: declare(
    perType(comparable, (name, type) => member(`list_${name}_max_${name}`, [list(type)], type)),
    extreme('max', 1),
  ),
  min: declare(
    perType(comparable, (name, type) => member(`list_${name}_min_${name}`, [list(type)], type)),
    extreme('min', -1),
  ),
  indexOf: declare([member('list_a_index_of_int', [listOfT, t], int)], indexOf),
  lastIndexOf: declare([member('list_a_last_index_of_int', [listOfT, t], int)], lastIndexOf),
  slice: declare([member('list_slice', [listOfT, int, int], listOfT)], slice),
  flatten: declare(
    [member('list_flatten', [list(listOfT)], listOfT), member('list_flatten_int', [list(dyn), int], list(dyn))],
    ([values, depth]) => new PlainList(flattened(asList(values), depth === undefined ? 1n : asInt(depth))),
  ),
  sort: declare(
    perType(comparable, (_, type) => member(`list_${fullName(type)}_sort`, [list(type)], list(type))),
    ([values]) => sortedBy(asList(values), asList(values)),
  ),
  '@sortByAssociatedKeys': declare(
    perType(comparable, (_, type) =>
      member(`list_${fullName(type)}_sortByAssociatedKeys`, [listOfT, list(type)], listOfT),
    ),
    ([values, keys]) => sortedBy(asList(values), asList(keys)),
  ),
  'lists.range': declare([free('lists_range', [int], list(int))], range),
  reverse: declare(
    [member('list_reverse', [listOfT], listOfT)],
    ([values]) => new PlainList([...asList(values)].reverse()),
  ),
  distinct: declare([member('list_distinct', [listOfT], listOfT)], distinct),
  'sets.contains': declare([free('list_sets_contains_list', [listOfT, listOfT], bool)], ([whole, part]) =>
    holdsAll(asList(whole), asList(part)),
  ),
  'sets.equivalent': declare(
    [free('list_sets_equivalent_list', [listOfT, listOfT], bool)],
    ([a, b]) => holdsAll(asList(a), asList(b)) && holdsAll(asList(b), asList(a)),
  ),
  'sets.intersects': declare([free('list_sets_intersects_list', [listOfT, listOfT], bool)], ([a, b]) =>
    [...asList(a)].some((one) => [...asList(b)].some((other) => equal(one, other))),
  ),
  'cel.@mapInsert': declare(
    [
      free('@mapInsert_map_key_value', [mapOfKV, param('K'), param('V')], mapOfKV),
      free('@mapInsert_map_map', [mapOfKV, mapOfKV], mapOfKV),
    ],
    insert,
  ),
};
