/** Why Go cannot decode a value, in its own words (encoding/json). */

import type { JsonValue } from '@fleet/kube/json-value.ts';

export class GoFault extends Error {}

/** What Go calls a JSON value. */
export const jsonWord = (value: JsonValue): string => {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
};

/** Where a value was to go. */
export interface Place {
  /** The struct, and the path to its field from the outermost one. */
  struct: string;
  fields: readonly string[];
}

export const cannotUnmarshal = (what: string, { struct, fields }: Place, goType: string): GoFault =>
  new GoFault(
    fields.length > 0
      ? `json: cannot unmarshal ${what} into Go struct field ${struct}.${fields.join('.')} of type ${goType}`
      : `json: cannot unmarshal ${what} into Go value of type ${goType}`,
  );
