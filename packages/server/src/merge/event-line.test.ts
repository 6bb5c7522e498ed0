import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { expect, it } from 'vitest';
import { combineVersions } from '../present/versions.ts';
import { isBehind, isCovered } from '../watch/position.ts';
import { readEventLine } from './event-line.ts';

const line = (resourceVersion: string) =>
  Buffer.from(JSON.stringify({ type: 'ADDED', object: { metadata: { resourceVersion } } }));

it('SEC-3: a version that is longer than any is garbage', () => {
  expect(readEventLine(line('9'.repeat(16_384))).version).toHaveLength(16_384);
  expect(() => readEventLine(line('9'.repeat(16_385)))).toThrow('a version that is too long');
});

it('RV-6: versions are decimals of 64 bits; what is longer is only the same or not', () => {
  const largest = '18446744073709551615';
  expect([isBehind('9', '10'), isBehind('9', largest), isBehind('9', `${largest}0`)]).toEqual([true, true, false]);
  expect([isCovered('9', '9'), isCovered(`${largest}0`, `${largest}0`), isCovered('9', `${largest}0`)]).toEqual([
    true,
    true,
    false,
  ]);
});

it.each([
  '{"type":"ADDED","object":{},"object":{"metadata":{"name":"victim.clusterspace.m2"}}}',
  '{"type":"ADDED","object":{},"obj\\u0065ct":{"metadata":{"name":"victim.clusterspace.m2"}}}',
  '{"type":"ADDED","object":{},"type":"DELETED"}',
  '{"type":"ADDED","object":{},"typ\\u0065":"DELETED"}',
  '{"type":"BOOK\\u004dARK","object":{"metadata":{"name":"x"}}}',
  '{"type":"E\\u0052ROR","object":{"metadata":{"name":"x"}}}',
  '{"type":"CHANGED","object":{"metadata":{"name":"x"}}}',
  '{"type":"ADDED","object":{"metadata":{"name":"x","resourceVersion":"5\\u0022"}}}',
  '{"type":"ADDED","object":{"metadata":{"name":"x","resourceVersion":"5\u2028"}}}',
])('SEC-1: an event that clients would read otherwise is refused: %s', (text) => {
  expect(() => readEventLine(Buffer.from(text))).toThrow(JsonBytesError);
});

it('SEC-1: no object has the version of a merged list, from which a client would resume; a bookmark of a fleet has', () => {
  const map = combineVersions(new Map([['m1', '999']]));
  expect(() => readEventLine(line(map))).toThrow('the version of a merged list');
  const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: map } } };
  expect(readEventLine(Buffer.from(JSON.stringify(bookmark))).version).toBe(map);
});
