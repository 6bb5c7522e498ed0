import type { JsonObject } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import { mergePatch } from './json-merge-patch.ts';

describe('JSON merge patch', () => {
  // The examples of RFC 7386 with objects.
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched with %j is %j', (object, patch, merged) => {
    expect(mergePatch(object, patch)).toEqual(merged);
  });

  it('clears nulls of objects in a new list, but none of its elements', () => {
    expect(mergePatch({}, { a: [null, { b: null, c: 1 }] })).toEqual({ a: [null, { c: 1 }] });
    expect(mergePatch({ a: [] }, { a: [{ b: null }] })).toEqual({ a: [{}] });
  });

  it('keeps them in a list that takes the place of an object', () => {
    expect(mergePatch({ a: {} }, { a: [{ b: null }] })).toEqual({ a: [{ b: null }] });
  });

  it('changes neither argument', () => {
    const object = { a: { b: 1 } };
    const patch = { a: { c: 2 } };
    mergePatch(object, patch);
    expect([object, patch]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
  });

  it('keeps 64-bit integers', () => {
    expect(mergePatch({ a: 9007199254740993n }, { b: -9007199254740993n })).toEqual({
      a: 9007199254740993n,
      b: -9007199254740993n,
    });
  });
});
