import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../errors/field-error.ts';
import type { Schema } from '../open-api.ts';
import { validateCustom } from './validate.ts';

const spec = (properties: { [name: string]: Schema }, more: Schema = {}): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});
const errorsOf = (field: Schema, value: JsonValue): string =>
  textOf(validateCustom({ spec: { x: value } }, spec({ x: field })));

describe('custom resources', () => {
  it.each<[string, Schema, JsonValue]>([
    ['an integer', { type: 'integer' }, 1],
    ['an integer beyond doubles', { type: 'integer', format: 'int64' }, 9007199254740993n],
    ['an integer where a number may be', { type: 'number' }, 1],
    ['an integer or a string', { 'x-kubernetes-int-or-string': true }, '10%'],
    ['null where it may be', { type: 'string', nullable: true }, null],
    ['anything where no type is given', { 'x-kubernetes-preserve-unknown-fields': true }, [1]],
    ['a value of the enum', { type: 'string', enum: ['a'] }, 'a'],
    ['a format that nobody knows', { type: 'string', format: 'odd' }, 'x'],
    ['a time', { type: 'string', format: 'date-time' }, '2026-01-02T03:04:05.6+01:00'],
    ['a duration', { type: 'string', format: 'duration' }, '1h30m'],
    ['one of two', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }],
  ])('%s is right', (_what, field, value) => {
    expect(errorsOf(field, value)).toBe('[]');
  });

  it.each<[string, Schema, JsonValue]>([
    ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"', { type: 'integer' }, 'a'],
    ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"', { type: 'string' }, null],
    [
      'spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"',
      { 'x-kubernetes-int-or-string': true },
      true,
    ],
    ['spec.x: Invalid value: "": spec.x in body must be of type int64: ""', { type: 'integer', format: 'int64' }, true],
    [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x',
      { type: 'integer', format: 'int32' },
      2 ** 31,
    ],
    ['spec.x: Unsupported value: "c": supported values: "a", "b"', { type: 'string', enum: ['a', 'b'] }, 'c'],
    ['spec.x: Too long: may not be more than 1 byte', { type: 'string', maxLength: 1 }, 'ab'],
    [
      'spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long',
      { type: 'string', minLength: 2 },
      'a',
    ],
    ['spec.x: Invalid value: "b": spec.x in body should match \'^a$\'', { type: 'string', pattern: '^a$' }, 'b'],
    ['spec.x: Invalid value: 3: spec.x in body should be less than or equal to 2', { type: 'integer', maximum: 2 }, 3],
    [
      'spec.x: Invalid value: 1.5: spec.x in body should be greater than 1.5',
      { type: 'number', minimum: 1.5, exclusiveMinimum: true },
      1.5,
    ],
    [
      'spec.x: Invalid value: 9007199254740993: spec.x in body should be less than or equal to 2',
      { type: 'integer', maximum: 2 },
      9007199254740993n,
    ],
    ['spec.x: Invalid value: 3: spec.x in body should be a multiple of 2', { type: 'integer', multipleOf: 2 }, 3],
    ['spec.x: Too many: 2: must have at most 1 item', { type: 'array', items: {}, maxItems: 1 }, [1, 2]],
    [
      'spec.x: Invalid value: 0: spec.x in body should have at least 1 items',
      { type: 'array', items: {}, minItems: 1 },
      [],
    ],
    [
      'spec.x: Invalid value: 0: spec.x in body should have at least 1 properties',
      { type: 'object', minProperties: 1 },
      {},
    ],
    ['spec.x.a: Required value', { type: 'object', required: ['a'] }, {}],
    [
      'spec.x.a: Invalid value: "string": spec.x.a in body must be of type integer: "string"',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { a: 'b' },
    ],
    [
      'spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type string: "integer"',
      { type: 'array', items: { type: 'string' } },
      ['a', 1],
    ],
    [
      'spec.x: Invalid value: "x": spec.x in body must be of type date-time: "x"',
      { type: 'string', format: 'date-time' },
      'x',
    ],
    [
      '[<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid, spec.x.a: Required value]',
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
    ],
    [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 1 },
    ],
    ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)', { not: { required: ['a'] } }, { a: 1 }],
    ['spec.x[2]: Duplicate value: "a"', { type: 'array', 'x-kubernetes-list-type': 'set' }, ['a', 'b', 'a', 'a']],
    [
      'spec.x[1]: Duplicate value: {"id":1}',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] },
      [
        { id: 1, a: 1 },
        { id: 1, a: 2 },
      ],
    ],
    ['spec.x.kind: Required value', { 'x-kubernetes-embedded-resource': true }, { apiVersion: 'v1' }],
  ])('reports: %s', (message, field, value) => {
    expect(errorsOf(field, value)).toBe(message);
  });

  it('reports what is missing at the root, with a cause', () => {
    const errors = validateCustom({}, { type: 'object', required: ['spec'] });
    expect(errors).toMatchObject([{ type: 'FieldValueRequired', field: 'spec' }]);
  });

  it('lets what was wrong before stay, as long as it is not touched', () => {
    const schema = spec({ a: { type: 'string', maxLength: 1 }, b: { type: 'string', maxLength: 1 } });
    const old: JsonObject = { spec: { a: 'long', b: 'x' } };
    expect(validateCustom({ spec: { a: 'long', b: 'y' } }, schema, old)).toEqual([]);
    expect(validateCustom({ spec: { a: 'other', b: 'y' } }, schema, old)).toMatchObject([{ field: 'spec.a' }]);
    expect(validateCustom({ spec: { a: 'long', b: 'yy' } }, schema, old)).toMatchObject([{ field: 'spec.b' }]);
  });

  it('finds elements again by their keys', () => {
    const list: Schema = {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'integer' }, a: { type: 'string', maxLength: 1 } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
    };
    const old: JsonObject = { spec: { l: [{ id: 1, a: 'long' }] } };
    const next: JsonObject = {
      spec: {
        l: [
          { id: 2, a: 'x' },
          { id: 1, a: 'long' },
        ],
      },
    };
    expect(validateCustom(next, spec({ l: list }), old)).toEqual([]);
    expect(validateCustom(next, spec({ l: list }))).toMatchObject([{ field: 'spec.l[1].a' }]);
  });
});
