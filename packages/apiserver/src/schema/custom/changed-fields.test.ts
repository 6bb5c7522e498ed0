import { expect, it } from 'vitest';
import type { Schema } from '../open-api.ts';
import { changedElements, changedFields } from './changed-fields.ts';
import { withDefaults, withoutIdleNulls } from './default.ts';
import { pruneObject } from './prune.ts';

it('what is not changed is the same', () => {
  const object = { a: 1, b: [1, 2], c: 'x' };
  expect(changedFields(object, (_, one) => one)).toBe(object);
  expect(changedElements(object.b, (one) => one)).toBe(object.b);
});

it('what is changed leaves the rest, its order and the argument as they are', () => {
  const object = JSON.parse('{"a":1,"__proto__":{"x":1},"b":2,"c":3}');
  const made = changedFields(object, (key, one) => (key === 'a' ? undefined : key === 'b' ? 5 : one));
  expect(JSON.stringify(made)).toBe('{"__proto__":{"x":1},"b":5,"c":3}');
  expect(JSON.stringify(object)).toBe('{"a":1,"__proto__":{"x":1},"b":2,"c":3}');
  expect(changedElements([1, 2], (one) => (one === 1 ? 7 : one))).toEqual([7, 2]);
});

it('an object that has nothing to prune and all defaults is itself, and so are its parts', () => {
  const part: Schema = {
    type: 'object',
    properties: { size: { type: 'integer', default: 1 }, tags: { type: 'array', items: { type: 'string' } } },
  };
  const schema: Schema = { type: 'object', properties: { spec: part, status: part } };
  const whole = { spec: { size: 2, tags: ['x'] }, status: { size: 3 } };
  expect(pruneObject(whole, schema).value).toBe(whole);
  expect(withoutIdleNulls(whole, schema)).toBe(whole);
  expect(withDefaults(whole, schema)).toBe(whole);
  const lacking = { spec: whole.spec, status: { odd: 1, tags: null } };
  const read = withDefaults(withoutIdleNulls(pruneObject(lacking, schema).value, schema), schema);
  expect(read).toEqual({ spec: { size: 2, tags: ['x'] }, status: { size: 1 } });
  expect((read as typeof whole).spec).toBe(whole.spec);
  expect(lacking).toEqual({ spec: { size: 2, tags: ['x'] }, status: { odd: 1, tags: null } });
});
