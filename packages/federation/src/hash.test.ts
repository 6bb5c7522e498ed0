import { expect, it } from 'vitest';
import { fnv1a32 } from './hash.ts';

it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
])('FED-5: FNV-1a-32 of %j', (text, hash) => {
  expect(fnv1a32(text)).toBe(hash);
});

it.each([
  ['default-nginx-deployment', '687f7fb96f'],
  ['test-namespace', '69fd499b4c'],
  ['system.foo-clusterrole', '5f7d88f69'],
])('FED-1: the hash in the name of the Work of %j is %s', (text, written) => {
  const digits = String(fnv1a32(text));
  expect(Array.from(digits, (digit) => '456789bcdf'[Number(digit)]).join('')).toBe(written);
});
