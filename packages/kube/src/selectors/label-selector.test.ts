import { expect, it, vi } from 'vitest';
import { parseLabelSelector } from './label-selector.ts';

const long = 'x'.repeat(64);

it.each(['a.b/c', 'a=b', 'a in (b,),!c', 'example.com/a_b-c.d>5'])('%s is a selector', (selector) => {
  expect(parseLabelSelector(selector)).toBeTypeOf('function');
});

it.each([
  '/a',
  'A.b/c',
  'a/b/c',
  '*bar',
  `${long}=a`,
  `a=${long}`,
  'a=b/c',
  `${'x'.repeat(254)}/a`,
  'a>b',
  '__proto__',
])('%s is none: a key or value that Kubernetes refuses', (selector) => {
  expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ code: 400 }));
});

it('a set of thousands of values is searched once for each label set, not value by value', () => {
  const values = Array.from({ length: 4_000 }, (_, index) => `v${index}`);
  const isIn = parseLabelSelector(`a in (${values.join(',')})`)!;
  const isNotIn = parseLabelSelector(`a notin (${values.join(',')})`)!;
  const walked = vi.spyOn(Array.prototype, 'includes');
  const found = [{ a: 'v3999' }, { a: 'none' }, {}].map((labels) => [isIn(labels), isNotIn(labels)]);
  const walks = walked.mock.calls.length;
  walked.mockRestore();
  expect(found).toEqual([
    [true, false],
    [false, true],
    [false, true],
  ]);
  expect(walks).toBe(0);
});
