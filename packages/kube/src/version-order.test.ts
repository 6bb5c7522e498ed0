import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasReached, isOlder, isPlainVersion } from './version-order.ts';

const version = fc.bigInt({ min: 1n, max: 2n ** 70n });

test('decimal versions are compared as integers of any size', () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(isOlder(String(a), String(b))).toBe(a < b);
      expect(hasReached(String(a), String(b))).toBe(a >= b);
    }),
  );
});

test('other forms have no order: only the same version is reached', () => {
  expect(isOlder('9', '10a')).toBe(false);
  expect(isOlder('', '10')).toBe(false);
  expect(hasReached('abc', 'abc')).toBe(true);
  expect(hasReached('abd', 'abc')).toBe(false);
  expect(hasReached('10', '')).toBe(false);
  expect(hasReached('010', '9')).toBe(false);
});

test('SEC-1: a version is printable, and the same in JSON as out of it', () => {
  for (const plain of ['', '10', 'eyJtMSI6IjEifQ', 'a b/~!#[]{}:,']) {
    expect(isPlainVersion(plain)).toBe(true);
    expect(JSON.stringify(plain)).toBe(`"${plain}"`);
  }
  for (const other of ['"', '\\', '\n', '1\n', '\0', '\x7f', '\u2028', 'é']) expect(isPlainVersion(other)).toBe(false);
});
