import { expect, test } from 'vitest';
import { differences } from './differences.ts';

test.each<[unknown, unknown, string[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, ['x.a']],
  [{ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] }, ['x.a[1].b']],
  [{ a: [1] }, { a: [1, 2] }, ['x.a']],
  [{ a: 1 }, {}, ['x.a']],
  [{}, { a: 'b' }, ['x.a']],
  // Kubernetes leaves out what is empty.
  [{ a: null, b: [], c: { d: {} } }, {}, []],
  [undefined, undefined, []],
  [{ a: 0 }, {}, ['x.a']],
])('%j and %j differ in %j', (one, other, paths) => {
  expect(differences(one, other, 'x')).toEqual(paths);
  expect(differences(other, one, 'x')).toEqual(paths);
});
