import { expect, it } from 'vitest';
import { sourceOf } from '../testing/fake-source.ts';
import { askedBy } from '../testing/known-kinds.ts';
import { askedSource } from './asked-source.ts';
import { readListQuery } from './list-query.ts';

const listed = (list: object) =>
  askedSource(sourceOf('evil', { text: JSON.stringify(list) }), askedBy('/api/v1/pods')).list({
    query: readListQuery('').begin('evil'),
    form: 'object',
    signal: new AbortController().signal,
  });

it('SEC-1: a member that lists another kind is missing', async () => {
  const answer = await listed({ kind: 'NamespaceList', apiVersion: 'v1', metadata: {}, items: [] });
  expect(answer).toEqual({ is: 'missing', reason: 'gave an answer that cannot be read' });
});

it('SEC-1: one whose kind comes at the end breaks off', async () => {
  const answer = await listed({ items: [{ metadata: { name: 'x' } }], kind: 'NamespaceList', apiVersion: 'v1' });
  if (answer.is !== 'list') throw new Error('no list');
  await expect(Array.fromAsync(answer.items)).rejects.toThrow('another kind');
});

it('a list of what was asked for passes', async () => {
  const answer = await listed({
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: {},
    items: [{ metadata: { name: 'x' } }],
  });
  if (answer.is !== 'list') throw new Error('no list');
  expect(await Array.fromAsync(answer.items)).toHaveLength(1);
});
