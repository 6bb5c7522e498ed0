/** The actual cost of a call (`CallCost` of kube-apiserver, `costCall` of cel-go). */

import { NamedFormat } from '../library/named-formats.ts';
import { Foreign, ListValue, MapValue, Optional, sizeOf, typeOf, type Value } from '../values.ts';
import { listCreation, perSign, perSignOfExpression } from './factors.ts';

const size = (value: Value | undefined): number => {
  if (value instanceof Optional && value.value !== undefined) return size(value.value);
  return value === undefined ? 1 : (sizeOf(value) ?? 1);
};

const traversed = (units: number): number => Math.ceil(units * perSign);
const searched = (text: number, expression: number): number =>
  Math.ceil((1 + text) * perSign) * Math.ceil(expression * perSignOfExpression);

/** The cost of visiting everything in a value. */
function traversal(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Math.floor(Buffer.byteLength(value) * perSign);
  if (value instanceof ListValue) return [...value].reduce<number>((sum, one) => sum + traversal(one), 0);
  if (value instanceof MapValue) {
    return value.keys().reduce<number>((sum, key) => sum + traversal(key) + traversal(value.find(key)!), 0);
  }
  return 1;
}

function comparedToItself(list: Value): number {
  const count = size(list);
  const first = list instanceof ListValue && count > 0 ? typeOf(list.at(0)).kind : undefined;
  const factor = 2 + (first === 'string' || first === 'bytes' ? perSign : 0);
  return 1 + listCreation + Math.trunc(count * count * factor);
}

type Cost = (args: readonly Value[], result: Value, overload: string) => number;

const once: Cost = () => 1;
const first: Cost = ([text]) => traversed(size(text));
const whole: Cost = ([value]) => traversal(value!);
const newList: Cost = (_, result) => 1 + listCreation + size(result);
const find: Cost = ([text, expression]) => searched(size(text), size(expression));
const smaller: Cost = ([a, b]) => traversed(Math.min(size(a), size(b)));
const sets =
  (factor: number): Cost =>
  ([a, b]) =>
    1 + size(a) * size(b) * factor;

/** By function name, for all overloads. */
const byFunction: { [name: string]: Cost } = {
  ...Object.fromEntries(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, whole])),
  ...Object.fromEntries(
    [
      'url',
      'lowerAscii',
      'upperAscii',
      'substring',
      'trim',
      'cidr',
      'isIP',
      'isCIDR',
      'quantity',
      'isQuantity',
      'semver',
      'isSemver',
    ].map((name) => [name, first]),
  ),
  replace: ([text]) => Math.ceil(size(text) * 2 * perSign),
  split: ([text]) => Math.ceil(size(text) * 2 * perSign),
  join: (_, result) => Math.ceil(size(result) * 2 * perSign),
  find,
  findAll: find,
  ip: (args, result, overload) => (overload === 'cidr_ip' ? 1 : first(args, result, overload)),
  'ip.isCanonical': ([text]) => Math.ceil(size(text) * 2 * perSign),
  containsIP: ([outer, inner], _, overload) =>
    traversed(size(outer) * 2) + (overload === 'cidr_contains_ip_string' ? traversed(size(inner)) : 0),
  containsCIDR: ([outer, inner], _, overload) =>
    traversed(size(outer) * 2) +
    traversed(size(outer)) +
    1 +
    (overload === 'cidr_contains_cidr_string' ? traversed(size(inner)) : 0),
  validate: ([format, text]) => (format instanceof NamedFormat ? searched(size(text), format.expressionSize) : 1),
  'lists.range': ([count]) => 1 + listCreation + Math.max(0, Number(count)),
  slice: newList,
  reverse: newList,
  flatten: ([list, depth]) => 1 + listCreation + size(list) * (depth === undefined ? 1 : Number(depth)),
  distinct: ([list]) => comparedToItself(list!),
  sort: ([list]) => comparedToItself(list!),
  '@sortByAssociatedKeys': ([, keys]) => comparedToItself(keys!),
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
};

const byOverload: { [overload: string]: Cost } = {
  starts_with_string: ([, part]) => traversed(size(part)),
  ends_with_string: ([, part]) => traversed(size(part)),
  string_to_bytes: first,
  bytes_to_string: first,
  strings_quote: first,
  string_format: first,
  in_list: ([, list]) => size(list),
  ...Object.fromEntries(
    ['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) => [
      [`${name}_string`, smaller],
      [`${name}_bytes`, smaller],
    ]),
  ),
  equals: (args, result, overload) => (args[0] instanceof Foreign ? 1 : smaller(args, result, overload)),
  not_equals: smaller,
  add_string: ([a, b]) => traversed(size(a) + size(b)),
  add_bytes: ([a, b]) => traversed(size(a) + size(b)),
  matches_string: find,
  contains_string: ([text, part]) => traversed(size(text)) * traversed(size(part)),
};

/** Functions whose cost depends on the result. */
export const costsByResult = (name: string): boolean => ['join', 'slice', 'reverse'].includes(name);

/** The cost function of a call is looked up once, when it is planned. */
export const costOf = (name: string, overload: string): Cost =>
  (Object.hasOwn(byFunction, name) ? byFunction[name] : undefined) ??
  (Object.hasOwn(byOverload, overload) ? byOverload[overload] : undefined) ??
  once;
