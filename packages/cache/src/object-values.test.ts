import { rfc3339Millis } from '@fleet/kube/rfc3339.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectValues, textAt, timeAt, valueAt } from './object-values.ts';

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const nowhere = { start: -1, end: -1 };

/** The values at these paths, parsed. */
function found(object: object, paths: readonly string[]): unknown[] {
  const bytes = bytesOf(object);
  const values = new ObjectValues(paths);
  values.read(bytes, 0, nowhere);
  return paths.map((path) => {
    const at = values.at(path);
    return at === undefined ? undefined : bytes.toString('utf8', at, at + 4);
  });
}

describe('values by their paths', () => {
  it('at any depth, and both a value and one in it', () => {
    const object = { a: 'xyz', b: { c: { d: 'one' }, e: [{ d: 'two' }] }, f: { g: 12345 } };
    expect(found(object, ['a', 'b.c.d', 'b', 'f.g', 'f.h', 'b.e.d', 'd'])).toEqual([
      '"xyz',
      '"one',
      '{"c"',
      '1234',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('null is absent, and a value that is not an object has no fields', () => {
    expect(found({ a: null, b: 'text', c: [1] }, ['a', 'a.x', 'b.x', 'c.x'])).toEqual(Array(4).fill(undefined));
  });

  it('keys of prototypes are ordinary keys', () => {
    expect(
      found({ constructor: 'c', toString: { valueOf: 'v' } }, ['constructor', 'toString.valueOf', '__proto__']),
    ).toEqual(['"c",', '"v"}', undefined]);
  });

  it('metadata is skipped if nothing in it is needed', () => {
    const bytes = bytesOf({ kind: 'A', metadata: { name: 'n', at: 1 }, at: 2 });
    const start = bytes.indexOf('{"name"');
    const end = bytes.indexOf(',"at":2');
    // Garbage in it is not noticed.
    bytes.fill('x', start + 1, end - 1);
    const values = new ObjectValues(['at']);
    values.read(bytes, 0, { start, end });
    expect(values.at('at')).toBe(bytes.length - 2);
  });

  it('an object does not keep values of the previous one', () => {
    const values = new ObjectValues(['a', 'b']);
    values.read(bytesOf({ a: 'x' }), 0, nowhere);
    values.read(bytesOf({ b: 'y' }), 0, nowhere);
    expect([values.at('a'), values.at('b')]).toEqual([undefined, 5]);
  });

  it('by keys from an object on', () => {
    const bytes = bytesOf({ a: { b: 'x\u00e9"', c: null }, d: 5 });
    expect(textAt(bytes, 0, 'a', 'b')).toBe('x\u00e9"');
    expect(textAt(bytes, 0, 'd')).toBeUndefined();
    expect(valueAt(bytes, 0, 'a', 'c')).toBeUndefined();
    expect(valueAt(bytes, 0, 'd', 'e')).toBeUndefined();
  });
});

describe('a time in an object', () => {
  const digits = fc.tuple(
    fc.integer({ min: 0, max: 9999 }),
    ...[14, 33, 26, 62, 62].map((max) => fc.integer({ min: 0, max })),
  );
  const text = digits.map((parts) => {
    const [year, month, day, hours, minutes, seconds] = parts.map((part, index) =>
      String(part).padStart(index === 0 ? 4 : 2, '0'),
    );
    return `${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`;
  });

  it('is parsed as in RFC 3339, whether such a date exists or not', () => {
    const broken = fc.tuple(text, fc.nat(19), fc.constantFrom('x', ' ', '-', ':', '/', '1')).map(([good, at, sign]) => {
      return `${good.slice(0, at)}${sign}${good.slice(at + 1)}`;
    });
    fc.assert(
      fc.property(fc.oneof(text, broken), (time) => {
        fc.pre(time !== '0001-01-01T00:00:00Z');
        expect(timeAt(bytesOf(time), 0)).toBe(rfc3339Millis(time));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is absent where Go has none', () => {
    expect(timeAt(bytesOf('0001-01-01T00:00:00Z'), 0)).toBeUndefined();
    expect(timeAt(bytesOf(5), 0)).toBeUndefined();
  });
});
