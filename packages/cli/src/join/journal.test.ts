import { expect, test } from 'vitest';
import { Journal } from './journal.ts';

const { signal } = new AbortController();
const member = {};
const controlPlane = {};

test('CLU-2: what was made is undone, last thing first', async () => {
  const undone: string[] = [];
  const journal = new Journal();
  for (const what of ['namespace', 'account', 'role']) journal.made(member, what, async () => void undone.push(what));
  expect(await journal.undo(signal)).toEqual([]);
  expect(undone).toEqual(['role', 'account', 'namespace']);
  expect(journal.empty).toBe(true);
});

test('CLU-2: what cannot be undone is reported, and the rest is undone', async () => {
  const undone: string[] = [];
  const journal = new Journal();
  const error = new Error('gone away');
  journal.made(member, 'namespace', async () => void undone.push('namespace'));
  journal.made(member, 'account', () => Promise.reject(error));
  expect(await journal.undo(signal)).toEqual([{ what: 'account', error }]);
  expect(undone).toEqual(['namespace']);
});

test('CLU-2: a side that does not answer does not keep the other', async () => {
  const journal = new Journal();
  const { promise: memberDone, resolve } = Promise.withResolvers<void>();
  journal.made(member, 'namespace', async () => resolve());
  journal.made(controlPlane, 'cluster', () => memberDone);
  expect(await journal.undo(signal)).toEqual([]);
});
