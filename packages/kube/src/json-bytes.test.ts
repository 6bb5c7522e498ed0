import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  eachElement,
  eachMember,
  JsonBytesError,
  skipSpace,
  skipValue,
  spanIs,
  stop,
  stringSpan,
} from './json-bytes.ts';

const asBytes = (value: unknown, space?: number | string) => Buffer.from(JSON.stringify(value, null, space));

const members = (bytes: Buffer): [string, unknown][] => {
  const found: [string, unknown][] = [];
  eachMember(bytes, 0, (key, value) => {
    const text = bytes.toString('utf8', key.start - 1, key.end + 1);
    found.push([JSON.parse(text), JSON.parse(bytes.toString('utf8', value, skipValue(bytes, value)))]);
    return undefined;
  });
  return found;
};

describe('walking JSON in bytes', () => {
  it('eachMember sees what JSON.parse sees, with any white space', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 2, '\t', '\r\n '),
        (value, space) => {
          const text = JSON.stringify(value, null, space);
          expect(Object.fromEntries(members(Buffer.from(text)))).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('eachElement sees what JSON.parse sees, with offsets that cut each value out', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1), (values, space) => {
        const bytes = asBytes(values, space);
        const found: unknown[] = [];
        const end = eachElement(bytes, 0, (at, index, after) => {
          found[index] = JSON.parse(bytes.toString('utf8', at, after));
        });
        expect(found).toEqual(JSON.parse(bytes.toString()));
        expect(end).toBe(bytes.length);
      }),
    );
  });

  it('skipValue ends exactly where the value ends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(',', '}', ']', ' ', '\n'), (value, behind) => {
        const text = JSON.stringify(value);
        expect(skipValue(Buffer.from(text + behind), 0)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it('a visitor may stop, or return where the value ends', () => {
    const bytes = asBytes({ a: { b: 1 }, c: 2, d: 3 });
    const keys: string[] = [];
    const end = eachMember(bytes, 0, (key, value) => {
      keys.push(bytes.toString('utf8', key.start, key.end));
      return spanIs(bytes, key, 'c') ? stop : skipValue(bytes, value);
    });
    expect(keys).toEqual(['a', 'c']);
    expect(end).toBe(stop);
  });

  it('a string with an escaped quote continues', () => {
    const bytes = asBytes('a\\"b\\\\');
    expect(stringSpan(bytes, 0)).toEqual({ start: 1, end: bytes.length - 1 });
    expect(stringSpan(asBytes(1), 0)).toBeUndefined();
  });

  it('truncated or invalid JSON is an error, never a shorter result', () => {
    const whole = '{"a":{"b":[1,"x"]},"c":"d"}';
    for (let length = 0; length < whole.length; length++) {
      expect(() => members(Buffer.from(whole.slice(0, length))), whole.slice(0, length)).toThrow();
    }
    for (const text of ['[]', '{1:2}', '{"a" 1}', '{"a":}', '{"a":1 "b":2}', '{,}']) {
      expect(() => eachMember(Buffer.from(text), 0, () => undefined), text).toThrow(JsonBytesError);
    }
  });

  it('spanIs compares whole keys only', () => {
    const bytes = asBytes({ names: 1 });
    expect(spanIs(bytes, { start: 2, end: 7 }, 'names')).toBe(true);
    expect(spanIs(bytes, { start: 2, end: 7 }, 'name')).toBe(false);
    expect(skipSpace(Buffer.from(' \r\n\tx'), 0)).toBe(4);
  });
});
