/** Validates `anyOf`, `oneOf`, `allOf` and `not`. If all alternatives fail, errors are those of the best match. */

import type { JsonValue } from '@fleet/kube/json-value.ts';
import type { Schema } from '../open-api.ts';
import { Result } from './result.ts';

type Check = (value: JsonValue, schema: Schema, path: string) => Result;

const plain = (message: string) => ({ what: 'plain', path: '', message }) as const;

/** For schemas without alternatives, which are most. */
const nothing = new Result().matched();

export function checkAlternatives(value: JsonValue, schema: Schema, path: string, check: Check): Result {
  if (!schema.anyOf && !schema.oneOf && !schema.allOf && !schema.not) return nothing;
  const result = new Result();
  const shown = JSON.stringify(path);
  const all = (schemas: Schema[] | undefined) => (schemas ?? []).map((one) => check(value, one, path));
  if (schema.anyOf?.length) {
    const results = all(schema.anyOf);
    const fitting = results.find(({ isValid }) => isValid);
    if (!fitting) result.add(plain(`${shown} must validate at least one schema (anyOf)`));
    result.merge(fitting ?? best(results));
  }
  if (schema.oneOf?.length) {
    const results = all(schema.oneOf);
    const fitting = results.filter(({ isValid }) => isValid);
    if (fitting.length === 1) result.merge(fitting[0]!);
    else {
      const found = fitting.length === 0 ? 'Found none valid' : `Found ${fitting.length} valid alternatives`;
      result.add(plain(`${shown} must validate one and only one schema (oneOf). ${found}`));
      if (fitting.length === 0) result.merge(best(results));
    }
  }
  if (schema.allOf?.length) {
    const results = all(schema.allOf);
    for (const one of results) result.merge(one);
    if (results.some(({ isValid }) => !isValid)) {
      const none = results.every(({ isValid }) => !isValid);
      result.add(plain(`${shown} must validate all the schemas (allOf)${none ? '. None validated' : ''}`));
    }
  }
  if (schema.not && check(value, schema.not, path).isValid) {
    result.add(plain(`${shown} must not validate the schema (not)`));
  }
  return result.matched();
}

const best = (results: readonly Result[]): Result =>
  results.reduce((chosen, one) => (one.matches > chosen.matches ? one : chosen));
