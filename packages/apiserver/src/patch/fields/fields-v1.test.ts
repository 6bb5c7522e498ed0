import type { JsonObject } from '@fleet/kube/json-value.ts';
import { expect, it } from 'vitest';
import { readFields, writeFields } from './fields-v1.ts';

it('LIMIT-3: a deep tree takes no longer than its depth', () => {
  let fields: JsonObject = {};
  for (let depth = 0; depth < 200; depth++) fields = { '.': {}, 'f:a': fields };
  const { '.': _, ...whole } = fields;
  expect(writeFields(readFields(whole))).toEqual(whole);
});
