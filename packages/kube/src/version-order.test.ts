import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasReached, isOlder } from './version-order.ts';

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
