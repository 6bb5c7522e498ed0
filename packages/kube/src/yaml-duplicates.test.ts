import { expect, it } from 'vitest';
import { yamlDuplicates, yamlErrors } from './yaml-duplicates.ts';

it('reports duplicate keys, with the lines of their values, the inner ones first', () => {
  const text = 'a: 1\nb:\n  c: 1\n  c: 2\na:\n  d: 1\n';
  expect(yamlDuplicates(text)).toEqual(['line 4: key "c" already set in map', 'line 6: key "a" already set in map']);
  expect(yamlDuplicates('{"a":1,"b":{"a":1},"a":2}')).toEqual(['line 1: key "a" already set in map']);
  expect(yamlDuplicates('a: 1\nb: [{a: 1}, {a: 1}]')).toEqual([]);
});

it('makes one error of them', () => {
  expect(yamlErrors(['line 1: x', 'line 2: y'])).toBe('yaml: unmarshal errors:\n  line 1: x\n  line 2: y');
});
