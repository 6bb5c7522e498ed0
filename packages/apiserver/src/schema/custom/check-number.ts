/** Validates ranges of numbers. Integers are compared as such, with limits truncated to integers, as in Go. */

import type { Schema } from '../open-api.ts';
import { Result } from './result.ts';

type Numeric = number | bigint;

const largestInt32 = 2 ** 31 - 1;
const largestFloat32 = (2 - 2 ** -23) * 2 ** 127;

export function checkNumber(value: Numeric, schema: Schema, path: string): Result {
  const result = new Result();
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  if (!fitsFormat(value, schema, isInteger)) {
    const format = knownFormat(schema);
    const type = `${schema.type} ${format ? `with format ${format}` : '(default format)'}`;
    result.add({ what: 'plain', path: '', message: `Checked value must be of type ${type} in ${path}` });
  }
  const limit = (bound: number): Numeric => (isInteger ? Math.trunc(bound) : bound);
  const complain = (text: string) =>
    result.add({ what: 'other', path, message: `${path} in body should be ${text}`, value });
  const { multipleOf, maximum, minimum } = schema;
  if (multipleOf !== undefined) {
    const factor = limit(multipleOf);
    // An integer cannot be a multiple of a fraction.
    if (factor <= 0) {
      const message = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
      result.add({ what: 'other', path, message, value: factor as number });
    } else if (!isMultiple(value, multipleOf)) complain(`a multiple of ${factor}`);
  }
  if (minimum !== undefined) {
    const least = limit(minimum);
    if (schema.exclusiveMinimum ? value <= least : value < least) {
      complain(`greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${least}`);
    }
  }
  if (maximum !== undefined) {
    const most = limit(maximum);
    if (schema.exclusiveMaximum ? value >= most : value > most) {
      complain(`less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${most}`);
    }
  }
  return result.matched();
}

/** Formats that have a meaning for the type. */
function knownFormat({ type, format = '' }: Schema): string {
  const known = type === 'integer' ? ['int32', 'int64'] : type === 'number' ? ['float', 'double'] : [];
  return known.includes(format) ? format : '';
}

function fitsFormat(value: Numeric, schema: Schema, isInteger: boolean): boolean {
  const format = knownFormat(schema);
  if (schema.type === 'integer') {
    const fitsInt64 = isInteger && (typeof value === 'bigint' || Number.isSafeInteger(value));
    return fitsInt64 && (format !== 'int32' || (value <= largestInt32 && value >= -largestInt32 - 1));
  }
  return format !== 'float' || (value <= largestFloat32 && value >= -largestFloat32);
}

function isMultiple(value: Numeric, factor: number): boolean {
  if (typeof value === 'bigint') return value % BigInt(Math.trunc(factor)) === 0n;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}
