import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatch, PatchError } from './json-patch.ts';

const patched = (value: unknown, ...operations: unknown[]): unknown => applyPatch(value, operations);

describe('applyPatch', () => {
  // The examples of RFC 6902, appendix A.
  it.each<[string, unknown, unknown, unknown]>([
    ['A.1', { foo: 'bar' }, { op: 'add', path: '/baz', value: 'qux' }, { baz: 'qux', foo: 'bar' }],
    ['A.2', { foo: ['bar', 'baz'] }, { op: 'add', path: '/foo/1', value: 'qux' }, { foo: ['bar', 'qux', 'baz'] }],
    ['A.3', { baz: 'qux', foo: 'bar' }, { op: 'remove', path: '/baz' }, { foo: 'bar' }],
    ['A.4', { foo: ['bar', 'qux', 'baz'] }, { op: 'remove', path: '/foo/1' }, { foo: ['bar', 'baz'] }],
    ['A.5', { baz: 'qux' }, { op: 'replace', path: '/baz', value: 'boo' }, { baz: 'boo' }],
    [
      'A.6',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      { op: 'move', from: '/foo/waldo', path: '/qux/thud' },
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7',
      { foo: ['a', 'b', 'c', 'd'] },
      { op: 'move', from: '/foo/1', path: '/foo/3' },
      { foo: ['a', 'c', 'd', 'b'] },
    ],
    ['A.8', { foo: ['a', 2] }, { op: 'test', path: '/foo/1', value: 2 }, { foo: ['a', 2] }],
    ['A.10', { foo: 'bar' }, { op: 'add', path: '/child', value: { a: {} } }, { foo: 'bar', child: { a: {} } }],
    ['A.11', { foo: 'bar' }, { op: 'add', path: '/baz', value: 1, xyz: 123 }, { foo: 'bar', baz: 1 }],
    ['A.14', { '/': 9, '~1': 10 }, { op: 'test', path: '/~01', value: 10 }, { '/': 9, '~1': 10 }],
    ['A.16', { foo: ['bar'] }, { op: 'add', path: '/foo/-', value: ['a'] }, { foo: ['bar', ['a']] }],
    ['a whole', { a: 1 }, { op: 'replace', path: '', value: [1] }, [1]],
    ['a copy', { a: [1] }, { op: 'copy', from: '/a', path: '/b' }, { a: [1], b: [1] }],
    ['null', { a: null }, { op: 'test', path: '/a', value: null }, { a: null }],
    ['a move to itself', { a: 1 }, { op: 'move', from: '/a', path: '/a' }, { a: 1 }],
  ])('RFC 6902 %s', (_, before, operation, after) => {
    expect(patched(before, operation)).toEqual(after);
  });

  it.each<[string, unknown]>([
    ['A.9: a failing test', { op: 'test', path: '/baz', value: 'bar' }],
    ['A.12: a missing parent', { op: 'add', path: '/no/thing', value: 1 }],
    ['A.15: text is no number', { op: 'test', path: '/n', value: '10' }],
    ['nothing to replace', { op: 'replace', path: '/no', value: 1 }],
    ['nothing to remove', { op: 'remove', path: '/no' }],
    ['what all objects inherit', { op: 'remove', path: '/constructor' }],
    ['an index behind the end', { op: 'add', path: '/l/3', value: 1 }],
    ['an index with a zero', { op: 'replace', path: '/l/01', value: 1 }],
    ['a negative index', { op: 'remove', path: '/l/-1' }],
    ['- where nothing is added', { op: 'remove', path: '/l/-' }],
    ['no value', { op: 'add', path: '/a' }],
    ['no op', { path: '/a', value: 1 }],
    ['no from', { op: 'move', path: '/a' }],
    ['a wrong pointer', { op: 'add', path: 'a', value: 1 }],
    ['a wrong escape', { op: 'add', path: '/~2', value: 1 }],
    ['a move into itself', { op: 'move', from: '/o', path: '/o/p' }],
    ['the whole removed', { op: 'remove', path: '' }],
    ['a step into text', { op: 'add', path: '/baz/a', value: 1 }],
    ['null', null],
  ])('RFC 6902: %s is an error, and nothing of the patch is seen', (_, operation) => {
    const before = { baz: 'qux', n: 10, l: [1, 2], o: { q: 1 } };
    const kept = structuredClone(before);
    expect(() => patched(before, { op: 'replace', path: '/baz', value: 'changed' }, operation)).toThrow(PatchError);
    expect(before).toEqual(kept);
  });

  it('the result shares nothing with the object or the patch', () => {
    const before = { a: { b: 1 } };
    const patch = [
      { op: 'add', path: '/c', value: { d: [1] } },
      { op: 'add', path: '/c/d/-', value: 2 },
      { op: 'copy', from: '/c', path: '/e' },
      { op: 'replace', path: '/e/d/0', value: 9 },
      { op: 'replace', path: '/a/b', value: 2 },
    ];
    const kept = structuredClone({ before, patch });
    expect(applyPatch(before, patch)).toEqual({ a: { b: 2 }, c: { d: [1, 2] }, e: { d: [9, 2] } });
    expect({ before, patch }).toEqual(kept);
  });

  it('__proto__ is a key as any other', () => {
    const result = patched({}, { op: 'add', path: '/__proto__', value: { polluted: true } });
    expect(Object.hasOwn(result as object, '__proto__')).toBe(true);
    expect((result as { polluted?: boolean }).polluted).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  describe('LIMIT-1: what asks for too much is an error, at once', () => {
    const big = { l: Array.from({ length: 400_000 }, (_, index) => index) };
    const deepObject = JSON.parse(`${'{"n":'.repeat(900)}{}${'}'.repeat(900)}`);
    it.each<[string, unknown, unknown[]]>([
      ['doubling', { a: 'x' }, Array.from({ length: 64 }, (_, index) => ({ op: 'copy', from: '', path: `/${index}` }))],
      ['shifting', big, Array.from({ length: 9_000 }, () => ({ op: 'add', path: '/l/0', value: 0 }))],
      ['comparing', big, Array.from({ length: 9_000 }, () => ({ op: 'test', path: '/l', value: big.l }))],
      ['many operations', {}, Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/a', value: 0 }))],
      [
        'nesting',
        { a: {}, b: 1 },
        Array.from({ length: 1_200 }, () => [
          { op: 'add', path: '/n', value: {} },
          { op: 'move', from: '/a', path: '/n/a' },
          { op: 'move', from: '/n', path: '/a' },
        ]).flat(),
      ],
      [
        'copying what is nested',
        { a: {} },
        [
          ...Array.from({ length: 300 }, () => [
            { op: 'add', path: '/n', value: deepObject },
            { op: 'move', from: '/a', path: `${'/n'.repeat(901)}` },
            { op: 'move', from: '/n', path: '/a' },
          ]).flat(),
          { op: 'copy', from: '/a', path: '/b' },
          { op: 'remove', path: '/b' },
        ],
      ],
    ])('%s', (_, value, operations) => {
      const started = performance.now();
      expect(() => applyPatch(value, operations)).toThrow(PatchError);
      expect(performance.now() - started).toBeLessThan(5_000);
    });
  });

  it('from any object to any other by replacing its fields', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(object, object, (before, after) => {
        const path = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const operations = [
          ...Object.keys(before).map((key) => ({ op: 'remove', path: path(key) })),
          ...Object.entries(after).map(([key, value]) => ({ op: 'add', path: path(key), value })),
        ];
        expect(JSON.stringify(applyPatch(before, operations))).toBe(JSON.stringify(after));
      }),
    );
  });
});
