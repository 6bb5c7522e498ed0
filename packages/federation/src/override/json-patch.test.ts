import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OverrideOperator } from '../api/policies.ts';
import { patched, valueAt } from './json-patch.ts';

/** What `Patch.Apply` of evanphx/json-patch v5.9.11 makes of each. */
describe('FED-7: operations of a JSON patch', () => {
  it.each<[unknown, OverrideOperator, string, unknown, unknown]>([
    [{ a: 1 }, 'add', '/b', 2, { a: 1, b: 2 }],
    [{ a: 1 }, 'add', '/a', 2, { a: 2 }],
    [{ a: 1 }, 'add', '/b', undefined, { a: 1, b: null }],
    [{ c: [1, 2] }, 'add', '/c/-1', 9, { c: [1, 2, 9] }],
    [{ c: [1, 2] }, 'add', '/c/-3', 9, { c: [9, 1, 2] }],
    [{ c: [1, 2] }, 'add', '/c/-', 9, { c: [1, 2, 9] }],
    [{ c: [1, 2] }, 'add', '/c/01', 7, { c: [1, 7, 2] }],
    [{ c: [1, 2] }, 'add', '/c/2', 7, { c: [1, 2, 7] }],
    [[1, 2], 'add', '/0', 0, [0, 1, 2]],
    [{ c: [1, 2] }, 'remove', '/c/-1', undefined, { c: [1] }],
    [{ c: [1, 2] }, 'remove', '/c/0', undefined, { c: [2] }],
    [{ b: null }, 'remove', '/b', undefined, {}],
    [{ b: null }, 'replace', '/b', 1, { b: 1 }],
    [{ b: 1 }, 'replace', '/b', null, { b: null }],
    [{ c: [{ d: 1 }] }, 'replace', '/c/0/d', 2, { c: [{ d: 2 }] }],
    [{ c: [1, 2] }, 'replace', '/c/-2', 5, { c: [5, 2] }],
    [{ b: 1 }, 'replace', '', { c: 2 }, { c: 2 }],
    [{ b: 1 }, 'add', '', [2], [2]],
    [{ '~a/b': 1 }, 'replace', '/~0a~1b', 0, { '~a/b': 0 }],
    [{ '~1': 1 }, 'replace', '/~01', 0, { '~1': 0 }],
  ])('FED-7: %j %s %s %j', (document, operator, path, value, expected) => {
    const operation = { operator, path, ...(value === undefined ? {} : { value: value as never }) };
    expect(patched(document, [operation])).toEqual(expected);
  });

  it.each<[unknown, OverrideOperator, string]>([
    [{ c: [1, 2] }, 'replace', '/c/2'],
    [{ c: [1, 2] }, 'remove', '/c/2'],
    [{ c: [1, 2] }, 'remove', '/c/-3'],
    [{ c: [1, 2] }, 'remove', '/c/-'],
    [{ c: [1, 2] }, 'add', '/c/3'],
    [{ c: [1, 2] }, 'add', '/c/-4'],
    [{ c: [1, 2] }, 'add', '/c/x'],
    [{ c: 1 }, 'add', '/x/y'],
    [{ b: null }, 'add', '/b/y'],
    [{ b: 's' }, 'add', '/b/y'],
    [{ b: 's' }, 'remove', '/b/length'],
    [{}, 'replace', '/toString'],
    [{ a: 1 }, 'replace', '/b'],
    [{ a: 1 }, 'remove', '/b'],
  ])('FED-7: %j %s %s fails', (document, operator, path) => {
    expect(() => patched(document, [{ operator, path, value: 1 }])).toThrow(`the path "${path}" does not exist`);
  });

  it('FED-7: the whole document cannot be removed, and a path begins with a slash', () => {
    expect(() => patched({}, [{ operator: 'remove', path: '' }])).toThrow('cannot be removed');
    expect(() => patched({ a: { b: 1 } }, [{ operator: 'replace', path: 'a/b', value: 1 }])).toThrow('slash');
  });

  it('FED-7: operations follow each other', () => {
    const operations = [
      { operator: 'add', path: '/a', value: {} },
      { operator: 'add', path: '/a/b', value: 1 },
    ] as const;
    expect(patched({}, operations)).toEqual({ a: { b: 1 } });
  });

  it('FED-7: __proto__ is a key like any other', () => {
    const result = patched({}, [{ operator: 'add', path: '/__proto__', value: { a: 1 } }]);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"a":1}}');
    expect(patched(result, [{ operator: 'remove', path: '/__proto__/a' }])).toEqual(JSON.parse('{"__proto__":{}}'));
  });

  it('FED-7: what is added can be read and removed again, and the document stays as it is', () => {
    const keys = fc.constantFrom('a', 'b', '~', '/', '__proto__', '');
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), fc.string(), fc.jsonValue(), (document, key, value) => {
        fc.pre(!Object.hasOwn(document, key));
        const before = structuredClone(document);
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const added = patched(document, [{ operator: 'add', path, value: value as never }]);
        expect(valueAt(added, path)).toEqual(value);
        expect(patched(added, [{ operator: 'remove', path }])).toEqual(document);
        expect(document).toEqual(before);
      }),
    );
  });
});
