import { describe, expect, it } from 'vitest';
import { copyJson, equalJson, fieldOf, jsonText, parseJson, setField } from './json-value.ts';

describe('JSON values', () => {
  it.each([
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 2 ** 63], // beyond int64: a double, as in Go
    ['9007199254740993.0', 2 ** 53],
    ['12', 12],
    ['1.5', 1.5],
  ])('%s is read as Go reads it', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`{"a":[${text}]}`)).toEqual({ a: [value] });
  });

  it('keeps every digit', () => {
    const text = '{"a":[9007199254740993,1.5,"12345678901234567890"],"b":-9223372036854775808}';
    expect(jsonText(parseJson(text))).toBe(text);
    expect(jsonText(copyJson(parseJson(text)))).toBe(text);
  });

  it('refuses JSON that is too deep for recursion, and no other', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(() => parseJson(nested(2_000))).toThrow('exceeded max depth');
    expect(() => parseJson(`[${'{"a":[]},'.repeat(2_000)}0]`)).not.toThrow();
    expect(() => parseJson(nested(900))).not.toThrow();
  });

  it('keeps names with a meaning in JavaScript', () => {
    const object = copyJson(parseJson('{"__proto__":{"a":1},"b":2}') as { [key: string]: never });
    expect(Object.keys(object)).toEqual(['__proto__', 'b']);
    expect(fieldOf(object, 'constructor')).toBeUndefined();
    setField(object, '__proto__', 3 as never);
    expect(jsonText(object)).toBe('{"__proto__":3,"b":2}');
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });

  it('compares by value', () => {
    const one = parseJson('{"a":[1,{"b":9007199254740993}],"c":null}');
    expect(equalJson(one, parseJson('{"c":null,"a":[1,{"b":9007199254740993}]}'))).toBe(true);
    expect(equalJson(one, parseJson('{"c":null,"a":[1,{"b":9007199254740992}]}'))).toBe(false);
    expect(equalJson(one, parseJson('{"c":null,"a":[1,{"b":9007199254740993},2]}'))).toBe(false);
    expect(equalJson(parseJson('{"toString":1}'), parseJson('{"a":1}'))).toBe(false);
  });
});
