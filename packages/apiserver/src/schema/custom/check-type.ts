/** Validates the type of a value. */

import type { JsonValue } from '@fleet/kube/json-value.ts';
import type { Schema } from '../open-api.ts';
import { Result } from './result.ts';

/** More than one only for integer-or-string. */
export const typesOf = (schema: Schema): readonly string[] => {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
};

/** The JSON type of a value, and its format in Go. */
function typeOf(value: JsonValue): { type: string; format: string } {
  if (Array.isArray(value)) return { type: 'array', format: '' };
  switch (typeof value) {
    case 'boolean':
      return { type: 'boolean', format: '' };
    case 'string':
      return { type: 'string', format: '' };
    case 'object':
      return { type: 'object', format: '' };
    case 'bigint':
      return { type: 'integer', format: 'int64' };
    default:
      // Go decodes an integer beyond 64 bits as a float, and does not treat floats above 2^53 as integers.
      return Number.isSafeInteger(value) ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'float64' };
  }
}

export function checkType(value: JsonValue, schema: Schema, format: string, path: string): Result {
  const types = typesOf(schema);
  const wrong = (expected: string, actual: string) =>
    Result.of({
      what: 'type',
      path,
      message: `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`,
      value: actual,
    });
  if (value === null) {
    return types.length > 0 && !schema.nullable ? wrong(types.join(','), 'null') : new Result().matched();
  }
  const actual = typeOf(value);
  const fits = types.includes(actual.type) || (actual.type === 'integer' && types.includes('number'));
  const isTextOrList = actual.type === 'string' || actual.type === 'array';
  if (!isTextOrList && format && !fits && actual.format !== format) return wrong(format, actual.format);
  // A format alone, or a string's: another check validates the text.
  const isNumeric = types.includes('number') || types.includes('integer');
  if (!isNumeric && format && isTextOrList) return new Result().matched();
  return fits ? new Result().matched() : wrong(types.join(','), actual.type);
}
