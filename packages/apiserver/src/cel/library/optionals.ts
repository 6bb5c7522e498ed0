/** The library of optional values. The evaluator implements `or` and `orValue` itself, as they evaluate their argument lazily. */

import type { Library } from '../environment.ts';
import * as types from '../types.ts';
import {
  Duration,
  EvaluationError,
  ListValue,
  none,
  noSuchOverload,
  Optional,
  PlainList,
  sizeOf,
  Timestamp,
  Uint,
  type Value,
} from '../values.ts';
import { declare, free, member } from './declare.ts';

const { bool, list, optional, param } = types;
const v = param('V');
const optionalOfV = optional(v);

function asOptional(value: Value | undefined): Optional {
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value;
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0) return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return false;
  return sizeOf(value) === 0;
}

function contained([value]: readonly Value[]): Value {
  const inner = asOptional(value).value;
  if (inner === undefined) throw new EvaluationError('optional.none() dereference');
  return inner;
}

function present([values]: readonly Value[]): Value {
  if (!(values instanceof ListValue)) throw noSuchOverload();
  return new PlainList([...values].flatMap((one) => asOptional(one).value ?? []));
}

const end =
  (at: (values: ListValue) => number) =>
  ([values]: readonly Value[]): Value => {
    if (!(values instanceof ListValue)) throw noSuchOverload();
    return values.size === 0 ? none : new Optional(values.at(at(values)));
  };

const onlyHere = (): never => {
  throw noSuchOverload();
};

export const optionals: Library = {
  'optional.of': declare([free('optional_of', [v], optionalOfV)], ([value]) => new Optional(value)),
  'optional.ofNonZeroValue': declare([free('optional_ofNonZeroValue', [v], optionalOfV)], ([value]) =>
    isZero(value!) ? none : new Optional(value),
  ),
  'optional.none': declare([free('optional_none', [], optionalOfV)], () => none),
  value: declare([member('optional_value', [optionalOfV], v)], contained),
  hasValue: declare(
    [member('optional_hasValue', [optionalOfV], bool)],
    ([value]) => asOptional(value).value !== undefined,
  ),
  or: declare([member('optional_or_optional', [optionalOfV, optionalOfV], optionalOfV)], onlyHere),
  orValue: declare([member('optional_orValue_value', [optionalOfV, v], v)], onlyHere),
  last: declare(
    [member('list_last', [list(v)], optionalOfV)],
    end(({ size }) => size - 1),
  ),
  first: declare(
    [member('list_first', [list(v)], optionalOfV)],
    end(() => 0),
  ),
  'optional.unwrap': declare([free('optional_unwrap', [list(optionalOfV)], list(v))], present),
  unwrapOpt: declare([member('optional_unwrapOpt', [list(optionalOfV)], list(v))], present),
};
