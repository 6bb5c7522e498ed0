import { describe, expect, it } from 'vitest';
import { stringLiteralAt } from './string-literal.ts';

const found = (source: string) => {
  const literal = stringLiteralAt(source, 0);
  return typeof literal === 'object' ? literal.prefix + literal.quoted : literal;
};

describe('string literals', () => {
  it.each([
    `"a"`,
    `'a'`,
    `""`,
    `"a\\"b"`,
    `"a\\\\"`,
    `"""a"b\nc"""`,
    `'''a\\'''b'''`,
    `r"a\\"`,
    `rb'\\'`,
    `b"a"`,
    `R"""\\"""`,
  ])('%j ends where it is closed', (source) => {
    expect(found(`${source} + "x"`)).toBe(source);
  });

  it('three quotes that are not closed are an empty text and another’s beginning', () => {
    expect(found('"""a')).toBe('""');
  });

  it('one that is not closed ends with its line', () => {
    expect(found('"a\nb"')).toBe(2);
    expect(found('"a\\\nb"')).toBe(3);
    expect(found(`"${'\\"'.repeat(5)}`)).toBe(11);
  });

  it('other texts are none', () => {
    expect(found('a"b"')).toBeUndefined();
    expect(found('rbr"b"')).toBeUndefined();
  });
});
