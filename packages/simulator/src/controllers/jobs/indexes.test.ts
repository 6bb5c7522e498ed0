import { expect, it } from 'vitest';
import { indexesText, parseIndexes } from './indexes.ts';
import { metSuccessRule } from './success-policy.ts';

it('reads and writes indexes as a status has them', () => {
  expect(indexesText([])).toBe('');
  expect(indexesText([7, 1, 4, 5, 3])).toBe('1,3-5,7');
  expect(indexesText([0, 1, 9])).toBe('0,1,9');
  expect([...parseIndexes('1,3-5,7', 5)]).toEqual([1, 3, 4]);
  expect([...parseIndexes(undefined, 5), ...parseIndexes('x,-', 5)]).toEqual([]);
});

it('knows when a success policy is met', () => {
  const spec = (rules: { succeededIndexes?: string; succeededCount?: number }[]) => ({
    completions: 10,
    successPolicy: { rules },
    template: { spec: { containers: [] } },
  });
  const met = new Set([0, 2, 3]);
  expect(metSuccessRule(spec([{ succeededIndexes: '0,2-3' }]), met)).toBe('Matched rules at index 0');
  expect(metSuccessRule(spec([{ succeededIndexes: '1' }, { succeededCount: 3 }]), met)).toBe(
    'Matched rules at index 1',
  );
  expect(metSuccessRule(spec([{ succeededIndexes: '0-9', succeededCount: 3 }]), met)).toBe('Matched rules at index 0');
  expect(metSuccessRule(spec([{ succeededIndexes: '0-9', succeededCount: 4 }]), met)).toBeUndefined();
  expect(metSuccessRule(spec([{ succeededCount: 1 }]), new Set())).toBeUndefined();
});
