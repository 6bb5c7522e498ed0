/** The library of quantities such as `1.5Gi`. */

import { parseQuantity, type Quantity, QuantityError } from '@fleet/kube/quantity.ts';
import type { Library } from '../environment.ts';
import * as types from '../types.ts';
import { EvaluationError, Foreign, noSuchOverload, type Value } from '../values.ts';
import { asText, declare, free, member } from './declare.ts';

const { bool, double, int, string, struct } = types;
const quantity = struct('kubernetes.Quantity');
const perUnit = 1_000_000_000n;

class QuantityValue extends Foreign {
  readonly type = quantity;
  readonly nano: bigint;
  constructor(nano: bigint) {
    super();
    this.nano = nano;
  }
  equals(other: Foreign): boolean {
    return other instanceof QuantityValue && this.nano === other.nano;
  }
}

const numberPart = /^[+-]?(?:\d+\.?\d*|\.\d+)/;
const suffixes = /^[eEinumkKMGTP]*[-+]?\d*$/;

function parsed(text: string): Quantity | string {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    const [number] = numberPart.exec(text) ?? [];
    if (number !== undefined && suffixes.test(text.slice(number.length))) return "unable to parse quantity's suffix";
    return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  }
}

function toQuantity([text]: readonly Value[]): Value {
  const found = parsed(asText(text));
  if (typeof found === 'string') throw new EvaluationError(found);
  return new QuantityValue(found.nano);
}

function nanoOf(value: Value | undefined): bigint {
  if (value instanceof QuantityValue) return value.nano;
  if (typeof value === 'bigint') return value * perUnit;
  throw noSuchOverload();
}

const order = ([left, right]: readonly Value[]): number => {
  const [a, b] = [nanoOf(left), nanoOf(right)];
  return a < b ? -1 : a > b ? 1 : 0;
};

const isInteger = (nano: bigint): boolean =>
  nano % perUnit === 0n && nano / perUnit >= -(2n ** 63n) && nano / perUnit < 2n ** 63n;

function asInteger([value]: readonly Value[]): Value {
  const nano = nanoOf(value);
  if (!isInteger(nano)) throw new EvaluationError('cannot convert value to integer');
  return nano / perUnit;
}

const both = (name: string) => [
  member(`quantity_${name}`, [quantity, quantity], quantity),
  member(`quantity_${name}_int`, [quantity, int], quantity),
];

export const quantities: Library = {
  quantity: declare([free('string_to_quantity', [string], quantity)], toQuantity),
  isQuantity: declare(
    [free('is_quantity_string', [string], bool)],
    ([text]) => typeof parsed(asText(text)) !== 'string',
  ),
  sign: declare([free('quantity_sign', [quantity], int)], ([value]) => {
    const nano = nanoOf(value);
    return nano > 0n ? 1n : nano < 0n ? -1n : 0n;
  }),
  isGreaterThan: declare([member('quantity_is_greater_than', [quantity, quantity], bool)], (args) => order(args) > 0),
  isLessThan: declare([member('quantity_is_less_than', [quantity, quantity], bool)], (args) => order(args) < 0),
  compareTo: declare([member('quantity_compare_to', [quantity, quantity], int)], (args) => BigInt(order(args))),
  asApproximateFloat: declare(
    [member('quantity_get_float', [quantity], double)],
    ([value]) => Number(nanoOf(value)) / 1e9,
  ),
  asInteger: declare([member('quantity_get_int', [quantity], int)], asInteger),
  isInteger: declare([member('quantity_is_integer', [quantity], bool)], ([value]) => isInteger(nanoOf(value))),
  add: declare(both('add'), ([left, right]) => new QuantityValue(nanoOf(left) + nanoOf(right))),
  sub: declare(both('sub'), ([left, right]) => new QuantityValue(nanoOf(left) - nanoOf(right))),
};
