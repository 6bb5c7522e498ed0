import type { Items } from '@fleet/kube/list-splitter.ts';
import { describe, expect, it } from 'vitest';
import { Page, type PageReader } from './page.ts';
import type { SourceList } from './source.ts';

const size = 10_000;

/** A member that returns all its items, whatever the limit. */
function everything(count: number, version: string | undefined): SourceList {
  async function* items(): AsyncGenerator<Items> {
    for (let i = 0; i < count; i++) yield [Buffer.alloc(size, 'x')];
  }
  const head = version === undefined ? {} : { metadata: { resourceVersion: version } };
  return { is: 'list', head, items: items(), end: () => ({ metadata: { resourceVersion: '7' } }) };
}

const part = (list: SourceList) => ({
  cluster: 'm1',
  from: undefined,
  opened: { list, limit: 5 },
  items: undefined,
});

const reader = (token: string | undefined): PageReader => ({
  open: async () => everything(30, '7'),
  tokenBehind: async () => token,
  leadsToSomething: async () => true,
});

describe('SEC-2: a member that gives more than it was asked for', () => {
  it.each([['early', '7'] as const, ['late', undefined] as const])(
    'what is beyond the page is counted and not held (version %s)',
    async (_, version) => {
      const page = new Page(5, reader('token'));
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      let given = 0;
      const list = everything(30_000, version);
      const { items } = list;
      const watched = (async function* () {
        for await (const some of items) {
          most = Math.max(most, process.memoryUsage().arrayBuffers - before);
          yield some;
        }
      })();
      for await (const some of page.itemsOf(part({ ...list, items: watched }))) given += some.length;
      expect(given).toBe(5);
      expect(await page.rest()).toEqual({ left: [{ cluster: 'm1', items: 29_995 }], own: 'token' });
      expect(most).toBeLessThan((30_000 * size) / 2);
    },
  );

  it.each([['early', '7'] as const, ['late', undefined] as const])(
    'PAGE-1: one that does no pages gives everything at once (version %s)',
    async (_, version) => {
      const page = new Page(5, reader(undefined));
      let given = 0;
      for await (const some of page.itemsOf(part(everything(30, version)))) given += some.length;
      expect(given).toBe(30);
      expect(await page.rest()).toEqual({ left: [], own: undefined });
    },
  );
});
