import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from './json-patch.ts';
import { type Operation, readJsonPatch } from './json-patch-body.ts';

const op = (op: string, path: string, rest: Operation = {}): Operation => ({ op, path, ...rest });

function failureOf(object: JsonObject, ...operations: Operation[]): string {
  try {
    applyJsonPatch(object, operations);
  } catch (error) {
    expect(error).toBeInstanceOf(StatusError);
    expect((error as StatusError).toStatus()).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
    return ((error as StatusError).cause as Error).message;
  }
  return 'none';
}

describe('JSON patch', () => {
  it.each<[string, JsonObject, Operation[], JsonValue]>([
    ['adds a field', { a: 1 }, [op('add', '/b', { value: 2 })], { a: 1, b: 2 }],
    ['adds over a field', { a: 1 }, [op('add', '/a', { value: 2 })], { a: 2 }],
    ['adds null where no value is given', { a: 1 }, [op('add', '/b')], { a: 1, b: null }],
    ['inserts into a list', { a: [1, 3] }, [op('add', '/a/1', { value: 2 })], { a: [1, 2, 3] }],
    ['appends to a list', { a: [1] }, [op('add', '/a/-', { value: 2 })], { a: [1, 2] }],
    ['appends at the length', { a: [1] }, [op('add', '/a/1', { value: 2 })], { a: [1, 2] }],
    ['counts from the end', { a: [1, 2] }, [op('add', '/a/-1', { value: 3 })], { a: [1, 2, 3] }],
    ['removes a field', { a: 1, b: 2 }, [op('remove', '/a')], { b: 2 }],
    ['removes a null', { a: null }, [op('remove', '/a')], {}],
    ['removes the last element', { a: [1, 2] }, [op('remove', '/a/-1')], { a: [1] }],
    ['replaces what need not be there', { a: 1 }, [op('replace', '/b', { value: 2 })], { a: 1, b: 2 }],
    ['replaces the whole', { a: 1 }, [op('replace', '', { value: [] })], []],
    ['moves', { a: { b: 1 }, c: {} }, [op('move', '/c/d', { from: '/a/b' })], { a: {}, c: { d: 1 } }],
    ['copies', { a: { b: [1] } }, [op('copy', '/c', { from: '/a/b' })], { a: { b: [1] }, c: [1] }],
    ['unescapes once', { 'a/b': 1, '~1': 2 }, [op('remove', '/a~1b'), op('remove', '/~01')], {}],
    ['looks at nothing before the first slash', { a: 1, b: 2 }, [op('remove', 'x/a')], { b: 2 }],
    ['tests', { a: { b: [1, null] } }, [op('test', '/a', { value: { b: [1, null] } })], { a: { b: [1, null] } }],
    ['finds null where nothing is', { a: 1 }, [op('test', '/b', { value: null })], { a: 1 }],
    [
      'keeps digits',
      { a: 9007199254740993n },
      [op('copy', '/b', { from: '/a' })],
      { a: 9007199254740993n, b: 9007199254740993n },
    ],
  ])('%s', (_what, object, operations, patched) => {
    expect(applyJsonPatch(object, operations)).toEqual(patched);
  });

  it.each<[string, JsonObject, Operation]>([
    ['Unexpected kind: unknown', {}, { path: '/a' }],
    ['Unexpected kind: delete', {}, op('delete', '/a')],
    ['add operation failed to decode path: missing value', {}, { op: 'add' }],
    ['add operation does not apply: doc is missing path: "/a/b": missing value', {}, op('add', '/a/b')],
    ['add operation does not apply: doc is missing path: "/a/b": missing value', { a: 'x' }, op('add', '/a/b')],
    ['add operation does not apply: doc is missing path: "": missing value', {}, op('add', '')],
    [
      "error in add for path: '/a/2': Unable to access invalid index: 2: invalid index referenced",
      { a: [1] },
      op('add', '/a/2'),
    ],
    [
      `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
      { a: [1] },
      op('add', '/a/x'),
    ],
    ["error in remove for path: '/a': Unable to remove nonexistent key: a: missing value", {}, op('remove', '/a')],
    ['replace operation does not apply: doc is missing key: /a/1: missing value', { a: [1] }, op('replace', '/a/1')],
    ['replace operation value must be object or array: %!w(<nil>)', {}, op('replace', '', { value: 1 })],
    [
      "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
      {},
      op('move', '/b', { from: '/a' }),
    ],
    ['move operation failed to decode from: operation, missing from field: missing value', {}, op('move', '/b')],
    ['testing value /a failed: test failed', { a: 1 }, op('test', '/a', { value: 2 })],
    ['testing value /a failed: test failed', { a: null }, op('test', '/a', { value: 2 })],
  ])('reports: %s', (message, object, operation) => {
    expect(failureOf(object, operation)).toBe(message);
  });

  it('bounds what copies may add', () => {
    const half = { a: 'x'.repeat(1_600_000) };
    const copy = (path: string) => op('copy', path, { from: '/a' });
    expect(failureOf(half, copy('/b'))).toBe('none');
    expect(failureOf(half, copy('/b'), copy('/c'))).toBe(
      'Unable to complete the copy, the accumulated size increase of copy is 3200004, exceeding the limit 3145728',
    );
  });

  it('changes no argument, and one value given twice stays two', () => {
    const object = { a: {} };
    const operations = [op('add', '/b', { value: {} }), op('add', '/b/c', { value: 1 })];
    expect(applyJsonPatch(object, [...operations, ...operations])).toEqual({ a: {}, b: { c: 1 } });
    expect(object).toEqual({ a: {} });
    expect(operations[0]!.value).toEqual({});
  });
});

describe('the body of a JSON patch', () => {
  it.each<[JsonValue, string]>([
    [{}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [['add'], 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 1 }],
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
  ])('%j is refused', (body, message) => {
    expect(() => readJsonPatch(body)).toThrow(message);
  });

  it('may not have more than 10,000 operations', () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ op: 'test', path: '/a' }));
    expect(readJsonPatch(many(10_000)).operations).toHaveLength(10_000);
    expect(() => readJsonPatch(many(10_001))).toThrow(
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });

  it('reports unknown fields', () => {
    expect(
      readJsonPatch([
        { op: 'remove', path: '/a' },
        { op: 'remove', path: '/b', why: '' },
      ]).strictErrors,
    ).toEqual(['json patch unknown field "[1].why"']);
  });
});
