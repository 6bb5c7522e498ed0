import { expect, it } from 'vitest';
import { covers } from './covers.ts';

it('CP-3: fields of others do not matter', () => {
  expect(covers({ a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { d: 2 }] } })).toBe(true);
  expect(covers({ a: 1 }, {})).toBe(true);
  expect(covers(null, null)).toBe(true);
});

it.each([
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { a: { b: 1 } }],
  [{ a: [1, 2] }, { a: [1] }],
  [{}, { a: null }],
  [undefined, {}],
  [null, { a: 1 }],
])('CP-3: %j does not cover %j', (found, expected) => {
  expect(covers(found, expected)).toBe(false);
});
