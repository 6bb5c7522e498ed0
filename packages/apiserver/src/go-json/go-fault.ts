/** Go's error for a value that it cannot decode (encoding/json). */

import type { JsonValue } from '@fleet/kube/json-value.ts';

export class GoFault extends Error {}

/** Go's name for the type of a JSON value. */
export const jsonWord = (value: JsonValue): string => {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
};

/** The target of a value. */
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
