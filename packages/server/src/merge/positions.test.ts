import { expect, test } from 'vitest';
import { positionsOf } from './positions.ts';
import type { ListSource, SourceList } from './source.ts';

const { signal } = new AbortController();

const listOf = (version: string): SourceList => ({
  is: 'list',
  head: {},
  items: (async function* () {})(),
  end: () => ({ metadata: { resourceVersion: version } }),
});

test('RV-4: a source is listed only where it does not know its position', async () => {
  const listed: string[] = [];
  const listing = (cluster: string, more: Partial<ListSource> = {}): ListSource => ({
    cluster,
    list: async () => {
      listed.push(cluster);
      return listOf('1');
    },
    ...more,
  });
  const sources: Record<string, ListSource> = {
    m1: listing('m1', { position: async () => '7' }),
    m2: listing('m2', { position: async () => undefined }),
    m3: listing('m3'),
    m4: listing('m4', { list: async () => ({ is: 'missing', reason: 'gone' }) }),
    m5: listing('m5', { position: () => Promise.reject(new Error('broken')) }),
  };
  const found = await positionsOf(Object.keys(sources), (cluster) => sources[cluster]!, signal);
  expect(Object.fromEntries(found)).toEqual({ m1: '7', m2: '1', m3: '1' });
  expect(listed).toEqual(['m2', 'm3']);
});
