import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editBytes } from './byte-edits.ts';
import { JsonBytesError } from './json-bytes.ts';
import { eachString, type JsonPath } from './json-walk.ts';

function strings(text: string): [string, JsonPath][] {
  const found: [string, JsonPath][] = [];
  eachString(Buffer.from(text), (string) => found.push([string.text(), [...string.path()]]));
  return found;
}

/** The same by parsing. */
function parsedStrings(value: unknown, path: JsonPath = []): [string, JsonPath][] {
  if (typeof value === 'string') return [[value, path]];
  if (Array.isArray(value)) return value.flatMap((one, index) => parsedStrings(one, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => parsedStrings(one, [...path, key]));
}

describe('eachString', () => {
  it('finds every string value and its path, in any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(strings(JSON.stringify(value, null, indent))).toEqual(parsedStrings(value));
      }),
    );
  });

  it('removes members, and leaves valid JSON', () => {
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'drop'), fc.oneof(fc.string(), fc.integer()));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), object), fc.constantFrom(0, 1), (value, indent) => {
        const bytes = Buffer.from(JSON.stringify(value, null, indent));
        const cuts: { start: number; end: number }[] = [];
        eachString(bytes, (string) => {
          const path = string.path();
          if (path.length === 2 && path[1] === 'drop') cuts.push(string.member()!);
        });
        const kept = Object.entries(value).map(([key, { drop, ...rest }]) => [
          key,
          typeof drop === 'number' ? { ...rest, drop } : rest,
        ]);
        expect(JSON.parse(editBytes(bytes, cuts).toString())).toEqual(
          JSON.parse(JSON.stringify(Object.fromEntries(kept))),
        );
      }),
    );
  });

  it('removes a duplicate key', () => {
    const bytes = Buffer.from('{"x":"1","x":"2"}');
    const cuts: { start: number; end: number }[] = [];
    eachString(bytes, (string) => cuts.push(string.member()!));
    expect(editBytes(bytes, cuts).toString()).toBe('{}');
  });

  it.each(['', '{', '[', '{"a"', '{"a":', '{"a":"b"', '{"a":"b",}', '["a",', '"a', '{a:1}', '{"a":"b"}x', '{"a" "b"}'])(
    'refuses %s',
    (text) => {
      expect(() => strings(text)).toThrow(JsonBytesError);
    },
  );

  it('LIMIT-3: depth costs no stack and only one pass', () => {
    const depth = 9_999;
    expect(strings(`${'['.repeat(depth)}"x"${']'.repeat(depth)}`)).toHaveLength(1);
    expect(() => strings('['.repeat(1_000_000))).toThrow('exceeded max depth');
  });
});
