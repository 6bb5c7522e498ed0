import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../errors/field-error.ts';
import type { Rule, Schema } from '../../schema/open-api.ts';
import { checkRules } from './check-rules.ts';
import { ruleTree } from './rule-tree.ts';

const errorsOf = (schema: Schema, value: JsonValue, old?: JsonValue): string => {
  const object = (one: JsonValue): JsonObject => ({ spec: { x: one } });
  const tree = ruleTree({
    type: 'object',
    properties: { spec: { type: 'object', properties: { x: schema } } },
  })!;
  return textOf(checkRules(tree, object(value), old === undefined ? undefined : object(old)));
};
const ruled = (schema: Schema, rule: string, more: Partial<Rule> = {}): Schema => ({
  ...schema,
  'x-kubernetes-validations': [{ rule, ...more }],
});
const int: Schema = { type: 'integer' };
const pair: Schema = { type: 'object', properties: { a: int, b: int } };

describe('rules', () => {
  it.each<[string, Schema, JsonValue]>([
    ['[]', ruled(int, 'self > 1'), 2],
    ['spec.x: Invalid value: 1: failed rule: self > 1', ruled(int, 'self > 1'), 1],
    ['spec.x: Invalid value: more', ruled(pair, 'self.a > 1', { message: ' more ' }), { a: 1 }],
    [
      'spec.x: Invalid value: a is 1',
      ruled(pair, 'self.a > 1', { messageExpression: "'a is ' + string(self.a)" }),
      { a: 1 },
    ],
    [
      'spec.x.b: Forbidden: no',
      ruled(pair, 'self.a > 1', { message: 'no', reason: 'FieldValueForbidden', fieldPath: '.b' }),
      { a: 1 },
    ],
    ['spec.x: Invalid value: "object": no such key: a evaluating rule: self.a > 1', ruled(pair, 'self.a > 1'), {}],
    ['spec.x[1]: Invalid value: 2: failed rule: self == 1', { type: 'array', items: ruled(int, 'self == 1') }, [1, 2]],
    [
      'spec.x[k]: Invalid value: 2: failed rule: self == 1',
      { type: 'object', additionalProperties: ruled(int, 'self == 1') },
      { k: 2 },
    ],
  ])('reports: %s', (message, schema, value) => {
    expect(errorsOf(schema, value)).toBe(message);
  });

  it('of transitions are for what was there before', () => {
    const schema = ruled(int, 'self >= oldSelf');
    expect(errorsOf(schema, 1)).toBe('[]');
    expect(errorsOf(schema, 1, 2)).toBe('spec.x: Invalid value: 1: failed rule: self >= oldSelf');
    const optional = ruled(int, 'oldSelf.hasValue() || self == 1', { optionalOldSelf: true });
    expect(errorsOf(optional, 2)).toContain('failed rule');
    expect(errorsOf(optional, 2, 2)).toBe('[]');
  });

  it('let what was wrong before stay as it is', () => {
    const schema = ruled(pair, 'self.a > 1');
    expect(errorsOf(schema, { a: 1 }, { a: 1 })).toBe('[]');
    expect(errorsOf(schema, { a: 1, b: 1 }, { a: 1 })).toContain('failed rule');
  });

  it('end where they cost more than one may', () => {
    const schema = ruled({ type: 'array', items: int }, 'self.all(a, self.all(b, a + b >= 0))');
    const long = Array.from({ length: 2_000 }, (_, index) => index);
    expect(errorsOf(schema, long)).toBe(
      'spec.x: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: self.all(a, self.all(b, a + b >= 0))',
    );
  });
});
