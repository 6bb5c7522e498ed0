import type { JsonValue } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import { compareText, goJson, goSource, goText, goType } from './go-text.ts';

describe('Go’s texts', () => {
  it.each<[string, string, JsonValue]>([
    [
      'map[a:[x <nil>] b:1]',
      'map[string]interface {}{"a":[]interface {}{"x", interface {}(nil)}, "b":1}',
      { b: 1, a: ['x', null] },
    ],
    ['1e-05', '1e-05', 0.00001],
    ['1e+21', '1e+21', 1e21],
    ['1e+20', '1e+20', 1e20],
    ['1.2345675e+06', '1.2345675e+06', 1234567.5],
    ['123456.75', '123456.75', 123456.75],
    ['0.5', '0.5', 0.5],
    ['9007199254740993', '9007199254740993', 9007199254740993n],
    ['true', 'true', true],
  ])('%s', (text, source, value) => {
    expect(goText(value)).toBe(text);
    expect(goSource(value)).toBe(source);
  });

  it('names types', () => {
    expect([1, 1n, 1.5, 1e20, 'a', null, [], {}, true].map(goType)).toEqual([
      'int64',
      'int64',
      'float64',
      'float64',
      'string',
      '<nil>',
      '[]interface {}',
      'map[string]interface {}',
      'bool',
    ]);
  });

  it('writes JSON with keys in order and signs of HTML escaped', () => {
    expect(goJson({ b: '<&>\u2028', 'a<': 1 })).toBe(String.raw`{"a\u003c":1,"b":"\u003c\u0026\u003e\u2028"}`);
  });

  it('orders texts by their bytes', () => {
    const texts = ['😀', '\uffff', 'é', 'b', 'a', 'ab', ''];
    const byBytes = [...texts].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect([...texts].sort(compareText)).toEqual(byBytes);
  });
});
