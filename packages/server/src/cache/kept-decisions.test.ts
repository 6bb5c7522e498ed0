import { expect, test } from 'vitest';
import { KeptDecisions } from './kept-decisions.ts';

const yes = (member: string, binding = 'b', role = 'r') => ({ member, at: 1, grant: { binding, role } });

test('IMP-3: bounded in number: what was not used for longest goes first', () => {
  const kept = new KeptDecisions(3);
  for (const key of ['a', 'b', 'c']) kept.set(key, yes('m1'));
  kept.get('a');
  kept.set('d', yes('m1'));
  expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key) !== undefined)).toEqual([true, false, true, true]);
  expect(kept.size).toBe(3);
});

test('a changed object ends the yeses that depend on it, in its own member', () => {
  const kept = new KeptDecisions(10);
  kept.set('by-binding', yes('m1', 'b1', 'r1'));
  kept.set('by-role', yes('m1', 'b2', 'r2'));
  kept.set('neither', yes('m1', 'b3', 'r3'));
  kept.set('other-member', yes('m2', 'b1', 'r2'));
  kept.set('not-rbac', { member: 'm1', at: 1, grant: undefined });
  expect(kept.deleteBy('m1', 'b1')).toBe(true);
  expect(kept.deleteBy('m1', 'r2')).toBe(true);
  expect(kept.deleteBy('m1', 'r2')).toBe(false);
  const left = ['by-binding', 'by-role', 'neither', 'other-member', 'not-rbac'].filter((key) => kept.get(key));
  expect(left).toEqual(['neither', 'other-member', 'not-rbac']);
  kept.deleteMember('m1');
  expect(kept.size).toBe(1);
});

test('one that is given anew depends on what it was given by now', () => {
  const kept = new KeptDecisions(10);
  kept.set('a', yes('m1', 'b1', 'r1'));
  kept.set('a', yes('m1', 'b2', 'r2'));
  expect(kept.deleteBy('m1', 'b1')).toBe(false);
  expect(kept.deleteBy('m1', 'b2')).toBe(true);
  expect(kept.size).toBe(0);
});

test('a thousand yeses by one role end together, and nothing is left over', () => {
  const kept = new KeptDecisions(1_000);
  for (let i = 0; i < 3_000; i++) kept.set(`k${i}`, yes('m1', `b${i}`, 'r'));
  expect(kept.size).toBe(1_000);
  kept.deleteBy('m1', 'r');
  expect(kept.size).toBe(0);
});
