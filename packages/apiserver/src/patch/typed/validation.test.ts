import type { JsonValue } from '@fleet/kube/json-value.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeTypes } from '../../schema/merge-type.ts';
import type { Schema } from '../../schema/open-api.ts';
import { fitsLive, validationErrors } from './validation.ts';

const text: Schema = { type: 'string' };
const leaf = fc.constantFrom<Schema>(
  text,
  { type: 'integer' },
  { type: 'boolean' },
  {},
  { type: 'string', format: 'date' },
);
const names = fc.constantFrom('a', 'b', 'name');
const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }) }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.constant<Schema>({ type: 'array', items: text, 'x-kubernetes-list-type': 'set' }),
    fc.record({
      type: fc.constant('array'),
      items: fc.record({
        type: fc.constant('object'),
        properties: fc.record({ name: fc.constant(text), a: tie('schema') }),
      }),
      'x-kubernetes-list-type': fc.constant('map' as const),
      'x-kubernetes-list-map-keys': fc.constant(['name']),
    }),
  ) as fc.Arbitrary<Schema>,
}));
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 'x', 'y', 1, 1.5, 5n),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ) as fc.Arbitrary<JsonValue>,
}));

it('a value fits if it has no validation errors', () => {
  let fitting = 0;
  fc.assert(
    fc.property(schema, value, (one, given) => {
      const type = mergeTypes(() => undefined).ofSchema(one);
      const fits = fitsLive(given, type);
      fitting += Number(fits);
      expect(fits).toBe(validationErrors(given, type, true).length === 0);
    }),
    { numRuns: 3_000 },
  );
  expect(fitting).toBeGreaterThan(300);
});
