import { expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { type Binding, BindingIndex } from './binding-index.ts';

const user = (name: string): User => ({ name, groups: [], extra: {}, uid: undefined });
const binding = (names: readonly string[]): Binding => ({
  name: 'b',
  namespace: 'default',
  roleRef: { kind: 'Role', name: 'r' },
  subjects: names.map((name) => ({ kind: 'User', name })),
});
const users = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `u${from + index}`);
const isFound = (index: BindingIndex, name: string): boolean => [...index.of(user(name))].length === 1;

it('LIMIT-3: a binding for many is replaced while the event loop runs, and subjects of both never lose it', async () => {
  const index = new BindingIndex();
  const [before, now] = [binding(users(0, 60_000)), binding(users(30_000, 90_000))];
  let turns = 0;
  let lacks = 0;
  let begun = false;
  const turn = setInterval(() => {
    turns += 1;
    if (begun && !isFound(index, 'u40000')) lacks += 1;
  }, 0);
  await index.replace(undefined, before);
  begun = true;
  await index.replace(before, now);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(1);
  expect(lacks).toBe(0);
  expect(['u0', 'u29999', 'u30000', 'u89999'].map((name) => isFound(index, name))).toEqual([false, false, true, true]);
  expect([...index.of(user('u40000'))]).toEqual([now]);
  await index.replace(now, undefined);
  expect(isFound(index, 'u40000')).toBe(false);
});

it('one for few is replaced at once', () => {
  const index = new BindingIndex();
  expect(index.replace(undefined, binding(['a', 'b', 'a']))).toBeUndefined();
  expect(index.replace(binding(['a', 'b', 'a']), binding(['b']))).toBeUndefined();
  expect([isFound(index, 'a'), isFound(index, 'b')]).toEqual([false, true]);
});
