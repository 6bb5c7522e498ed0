import type { JsonObject } from '@fleet/kube/json-value.ts';
import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { expect, it } from 'vitest';
import { fromMap } from './from-map.ts';
import { GoFault } from './go-fault.ts';

const made = (kind: string, json: JsonObject) => fromMap(kindType('v1', kind)!, json);

it.each<[string, JsonObject, string]>([
  ['ConfigMap', { data: 5 }, 'cannot restore map from int64'],
  ['ConfigMap', { data: { a: 5 } }, 'cannot convert int64 to string'],
  ['ConfigMap', { data: { a: 1.5 } }, 'unrecognized type: string'],
  ['ConfigMap', { data: { a: true } }, 'unrecognized type: string'],
  ['ConfigMap', { immutable: 'x' }, 'unrecognized type: bool'],
  ['ConfigMap', { metadata: 'x' }, 'cannot restore struct from: string'],
  ['ConfigMap', { metadata: { labels: 'text' } }, 'cannot restore map from string'],
  ['ConfigMap', { metadata: { finalizers: 'x' } }, 'cannot restore slice from string'],
  ['ConfigMap', { metadata: { uid: 5 } }, 'cannot convert int64 to types.UID'],
  ['ConfigMap', { metadata: { creationTimestamp: 5 } }, 'json: cannot unmarshal number into Go value of type string'],
  ['ConfigMap', { binaryData: { a: '?' } }, 'error decoding from json: illegal base64 data at input byte 0'],
  ['ConfigMap', { binaryData: { a: 5 } }, 'cannot restore slice from int64'],
  ['Event', { count: 'x' }, 'unrecognized type: int32'],
  ['Event', { count: 1.5 }, 'cannot convert float64 to int32'],
  ['Secret', { type: 5 }, 'cannot convert int64 to v1.SecretType'],
])('COMPAT-4: a %s cannot be made of %j', (kind, json, why) => {
  expect(() => made(kind, json)).toThrow(new GoFault(why));
});

it('makes one of what fits', () => {
  const map = { metadata: { name: 'a', labels: null }, data: { a: 'b' }, x: 1 };
  expect(made('ConfigMap', map)).toEqual(map);
});

it.each([
  [65536, 65536],
  [2 ** 31, -(2 ** 31)],
  [2 ** 32 + 5, 5],
  [1e20, 0],
])('drops the bits of %d that do not fit: %d', (given, kept) => {
  expect(made('Event', { count: given })).toEqual({ count: kept });
});
