import { expect, it } from 'vitest';
import { differenceOf } from './protobuf-sample.ts';

const sample = { kind: 'v1 Pod', damaged: false, protobuf: '' };

it('finds nothing in another order of keys', () => {
  expect(differenceOf({ ...sample, json: '{"a":1,"b":[2]}' }, { json: '{"b":[2],"a":1}' })).toBeUndefined();
});

it('finds lost digits, missing and additional keys, and null', () => {
  const json = '{"a":9007199254740993}';
  for (const other of [
    '{"a":9007199254740992}',
    '{}',
    '{"a":null}',
    '{"a":9007199254740993,"b":1}',
    '{"a":"9007199254740993"}',
  ]) {
    expect(differenceOf({ ...sample, json }, { json: other }), other).toBe('other JSON');
  }
});

it('finds what only one of the two refuses, and other words', () => {
  expect(differenceOf({ ...sample, json: '{}' }, { error: 'x' })).toBe('refused: x');
  expect(differenceOf({ ...sample, error: 'EOF' }, { json: '{}' })).toBe('not refused: EOF');
  expect(differenceOf(sample, { json: '{}' })).toBe('not refused: no JSON');
  expect(differenceOf({ ...sample, error: 'EOF' }, { error: 'Pod: EOF' })).toBeUndefined();
  expect(differenceOf({ ...sample, error: 'EOF' }, { error: 'Pod: overflow' })).toMatch(/^other words/);
});
