import { describe, expect, it } from 'vitest';
import type { LabelSelector } from '../api/objects.ts';
import { labelMatcherOf } from './label-matcher.ts';

const expression = (key: string, operator: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 ? { values } : {}) }],
});

describe('label selectors of objects', () => {
  it.each<[string, LabelSelector, Record<string, string>, boolean]>([
    ['nothing asked', {}, {}, true],
    ['equal', { matchLabels: { a: '1' } }, { a: '1', b: '2' }, true],
    ['another value', { matchLabels: { a: '1' } }, { a: '2' }, false],
    ['In', expression('a', 'In', '1', '2'), { a: '2' }, true],
    ['In, absent', expression('a', 'In', '1'), {}, false],
    ['NotIn, absent', expression('a', 'NotIn', '1'), {}, true],
    ['NotIn', expression('a', 'NotIn', '1'), { a: '1' }, false],
    ['Exists', expression('a', 'Exists'), { a: '' }, true],
    ['Exists of what every object has', expression('constructor', 'Exists'), {}, false],
    ['DoesNotExist', expression('a', 'DoesNotExist'), { b: '' }, true],
    ['all of them', { matchLabels: { a: '1' }, ...expression('b', 'Exists') }, { a: '1' }, false],
  ])('FED-2: %s', (_what, selector, labels, matches) => {
    expect(labelMatcherOf(selector)(labels)).toBe(matches);
  });

  it.each<[string, LabelSelector]>([
    ['NotIn without values', expression('a', 'NotIn')],
    ['Exists with values', expression('a', 'Exists', 'x')],
    ['DoesNotExist with values', expression('b', 'DoesNotExist', 'x')],
    ['another operator', expression('a', 'Gt', '0')],
    ['a value that is none', expression('b', 'NotIn', 'x y')],
    ['a key that is none', expression('b c', 'DoesNotExist')],
  ])('FED-2: an invalid one matches nothing: %s', (_what, selector) => {
    expect(labelMatcherOf(selector)({ a: '1' })).toBe(false);
  });
});
