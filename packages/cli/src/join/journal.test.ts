import { expect, test } from 'vitest';
import { Journal } from './journal.ts';

test('CLU-2: what was made is undone, last thing first', async () => {
  const undone: string[] = [];
  const journal = new Journal();
  for (const what of ['namespace', 'account', 'role']) journal.made(what, async () => void undone.push(what));
  expect(await journal.undo()).toEqual([]);
  expect(undone).toEqual(['role', 'account', 'namespace']);
  expect(journal.empty).toBe(true);
});

test('CLU-2: what cannot be undone is told and does not keep the rest', async () => {
  const undone: string[] = [];
  const journal = new Journal();
  const error = new Error('gone away');
  journal.made('namespace', async () => void undone.push('namespace'));
  journal.made('account', () => Promise.reject(error));
  expect(await journal.undo()).toEqual([{ what: 'account', error }]);
  expect(undone).toEqual(['namespace']);
});
