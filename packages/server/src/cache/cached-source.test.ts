import { MemoryShard } from '@fleet/cache/shard.ts';
import { podFeed, type Sample, sampleColumns, sampleRow } from '@fleet/cache/testing/sample-objects.ts';
import type { Form } from '@fleet/kube/negotiate.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ListedAt } from '../merge/list-query.ts';
import type { Selection } from '../merge/selection.ts';
import type { Source, SourceList, WatchAnswer, WatchAsk } from '../merge/source.ts';
import type { CachedFeed, LiveReason } from './cached-feed.ts';
import { CachedSource, type CachedSourceOptions } from './cached-source.ts';
import { freshFeed } from './testing/fresh-feed.ts';

const selection = { text: '', labelSelector: '', fieldSelector: '', includeObject: undefined };

async function* none(): AsyncGenerator<never> {}

interface Otherwise {
  feed?: Partial<CachedFeed>;
  options?: Partial<CachedSourceOptions>;
}

/** Three pods, listed at version 10 and changed one by one. */
async function scene(padding = 0, { feed, options }: Otherwise = {}) {
  const shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024, clock: () => 0 });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  {
    writer.columns(sampleColumns);
    using relist = writer.relist('row');
    relist.add(['d/a', 'd/b', 'd/c'].map((key, index) => Buffer.from(sampleRow({ key, version: index + 1, padding }))));
    relist.commit('10');
  }
  const reasons: LiveReason[] = [];
  const live: Source = {
    cluster: 'm1',
    list: async () => ({ is: 'missing', reason: 'asked live' }),
    watch: () => Promise.reject(new Error('no watch was expected')),
    canWatch: () => Promise.reject(new Error('no watch was expected')),
    hasLost: async () => false,
  };
  const source = new CachedSource({
    live,
    feed: { ...freshFeed(shard, () => writer.position), ...feed },
    namespace: undefined,
    permissions: { ask: async () => ({ isOld: false, onLost: () => () => {} }) },
    requestOptions: {},
    isWritePending: () => false,
    canPrune: false,
    onLive: (reason) => reasons.push(reason),
    onCached: () => {},
    longestWait: 50,
    ...options,
  });
  const ask = (at: ListedAt, limit?: number, selected: Partial<Selection> = {}, form: Form = 'object') => {
    const query = { limit, timeout: undefined, selection: { ...selection, ...selected }, at };
    return source.list({ query, form, signal: new AbortController().signal });
  };
  const list = async (at: ListedAt, limit?: number): Promise<SourceList> => {
    const answer = await ask(at, limit);
    if (answer.is !== 'list') throw new Error(`answered ${answer.is}`);
    return answer;
  };
  const modify = (sample: Sample) =>
    writer.apply([{ type: 'MODIFIED', item: Buffer.from(sampleRow(sample)) }], String(sample.version));
  const restored = (version: string) => {
    using relist = writer.relist('row');
    relist.add([Buffer.from(sampleRow({ key: 'd/a', version: 1 }))]);
    relist.commit(version, { wentBack: true });
  };
  const signal = new AbortController().signal;
  const watch = (from: string) => source.watch({ selection, form: 'object', from, signal });
  const bookmark = (version: string) => writer.apply([], version);
  const hasLost = (version: string) => source.hasLost(version, signal);
  return { ask, list, modify, bookmark, restored, watch, hasLost, reasons, position: () => source.position(signal) };
}

async function read(list: SourceList) {
  const items = (await Array.fromAsync(list.items)).flat().map((item) => JSON.parse(item.toString()));
  return { versions: items.map(({ metadata }) => metadata.resourceVersion), end: list.end().metadata };
}

describe('CACHE-17, PAGE-1: the version of a list is the one that was asked for', () => {
  it('where nothing has happened up to it since the state that is read', async () => {
    const { list, modify, bookmark } = await scene();
    bookmark('20');
    modify({ key: 'd/b', version: 30 });
    bookmark('40');
    for (const version of ['10', '15', '20', '29']) {
      const exact = await list({ is: 'exact', version });
      expect(exact.head.metadata?.resourceVersion).toBe(version);
      expect(await read(exact)).toEqual({ versions: ['1', '2', '3'], end: { resourceVersion: version } });
    }
    expect(await read(await list({ is: 'exact', version: '35' }))).toMatchObject({ versions: ['1', '30', '3'] });
  });

  it('on every page, whatever happens in between', async () => {
    const { list, modify, bookmark } = await scene();
    bookmark('20');
    const first = await read(await list({ is: 'latest' }, 1));
    expect(first.end).toMatchObject({ resourceVersion: '20', remainingItemCount: 2 });
    modify({ key: 'd/b', version: 30 });
    const second = await read(await list({ is: 'after', token: first.end!.continue! }, 1));
    expect(second.versions).toEqual(['2']);
    expect(second.end).toMatchObject({ resourceVersion: '20', remainingItemCount: 1 });
    const third = await read(await list({ is: 'after', token: second.end!.continue! }, 1));
    expect(third).toEqual({ versions: ['3'], end: { resourceVersion: '20' } });
  });

  it('while a list is read in several parts, too', async () => {
    const { list, modify, bookmark } = await scene(200_000);
    bookmark('20');
    const under = await list({ is: 'latest' });
    modify({ key: 'd/c', version: 30 });
    expect(await read(under)).toEqual({ versions: ['1', '2', '3'], end: { resourceVersion: '20' } });
  });
});

describe('RV-6: a version that is none is the member’s to refuse', () => {
  it.each(['abc', '-1', '1.5', '00012'])('%s', async (version) => {
    const { list, reasons } = await scene();
    await expect(list({ is: 'not-older', version })).rejects.toThrow('answered missing');
    expect(reasons).toEqual(['version']);
  });

  it('one that is older than all that is known is served', async () => {
    const { list, reasons } = await scene();
    expect(await read(await list({ is: 'not-older', version: '5' }))).toMatchObject({ versions: ['1', '2', '3'] });
    expect(reasons).toEqual([]);
  });
});

interface Case {
  why: LiveReason | 'cached';
  otherwise?: Otherwise;
  at?: ListedAt;
  selected?: Partial<Selection>;
  form?: Form;
}

const pruned: Otherwise = { feed: { isPruned: true } };
const unsure: Otherwise = { feed: { areFieldsKnown: () => false } };

describe('CACHE-7: why a request goes to the member', () => {
  it.each<[string, Case]>([
    ['nothing is in the way', { why: 'cached' }],
    ['the client asks for it', { why: 'consistent', otherwise: { options: { requestOptions: { consistent: true } } } }],
    ['no yes', { why: 'not-allowed', otherwise: { options: { permissions: { ask: async () => undefined } } } }],
    ['a feed that is not filled', { why: 'not-filled', otherwise: { feed: { id: 'another' } } }],
    ['a stream that is not healthy', { why: 'not-fresh', otherwise: { feed: { isFresh: () => false } } }],
    ['an own write', { why: 'own-write', otherwise: { options: { isWritePending: () => true } } }],
    [
      'an own write, where any state is good',
      { why: 'cached', otherwise: { options: { isWritePending: () => true } }, at: { is: 'any' } },
    ],
    ['a version that is gone', { why: 'version', at: { is: 'exact', version: '3' } }],
    ['a field that is not known', { why: 'unknown-field', selected: { fieldSelector: 'spec.color=red' } }],
    ['a field that is', { why: 'cached', selected: { fieldSelector: 'spec.nodeName=n' } }],
    [
      'a field that may no longer be',
      { why: 'unknown-field', otherwise: unsure, selected: { fieldSelector: 'spec.nodeName=n' } },
    ],
    ['names are always', { why: 'cached', otherwise: unsure, selected: { fieldSelector: 'metadata.name=a' } }],
    ['a selector that is none', { why: 'selector', selected: { labelSelector: 'a in' } }],
    ['a form that does not exist', { why: 'form', selected: { includeObject: 'Some' }, form: 'Table' }],
    ['CACHE-6: objects without managedFields', { why: 'pruned', otherwise: pruned }],
    ['metadata without them', { why: 'pruned', otherwise: pruned, form: 'PartialObjectMetadataList' }],
    [
      'rows of whole objects',
      { why: 'pruned', otherwise: pruned, selected: { includeObject: 'Object' }, form: 'Table' },
    ],
    ['Tables are for people', { why: 'cached', otherwise: pruned, form: 'Table' }],
    ['the aggregation family', { why: 'cached', otherwise: { ...pruned, options: { canPrune: true } } }],
  ])('%s: %o', async (_, { why, otherwise, at = { is: 'latest' }, selected, form }) => {
    const { ask, reasons } = await scene(0, otherwise);
    await ask(at, undefined, selected, form);
    expect(reasons).toEqual(why === 'cached' ? [] : [why]);
  });
});

describe('CACHE-5: of a member that was restored from a backup every earlier version is 410', () => {
  it('for a watch, which the member would leave waiting in silence for that version', async () => {
    const { bookmark, restored, watch } = await scene();
    bookmark('100');
    restored('50');
    for (const from of ['100', '60', '10'])
      expect(await watch(from)).toMatchObject({ is: 'expired', error: { code: 410 } });
    expect(await watch('50')).toMatchObject({ is: 'open' });
  });

  it('for lists at that version, and for those that are to be no older', async () => {
    const { list, bookmark, restored, reasons } = await scene();
    const first = await read(await list({ is: 'latest' }, 1));
    bookmark('100');
    restored('50');
    await expect(list({ is: 'exact', version: '100' })).rejects.toThrow('answered expired');
    await expect(list({ is: 'after', token: first.end!.continue! })).rejects.toThrow('answered expired');
    await expect(list({ is: 'not-older', version: '100' })).rejects.toThrow('answered expired');
    expect(reasons).toEqual([]);
  });

  it('but what there is now is no older than a version from before what is known', async () => {
    const { list, bookmark, restored } = await scene();
    bookmark('100');
    restored('50');
    expect(await read(await list({ is: 'not-older', version: '40' }))).toMatchObject({ versions: ['1'] });
  });
});

describe('CACHE-5: a version that a restored member has assigned again, and a quiet stream does not know yet', () => {
  async function quiet(now: string) {
    const end = { metadata: { resourceVersion: now } };
    const listed = async (): Promise<SourceList> => ({ is: 'list', head: end, items: none(), end: () => end });
    const asked: string[] = [];
    const watch = async ({ from }: WatchAsk): Promise<WatchAnswer> => {
      asked.push(from);
      return { is: 'open', batches: none() };
    };
    const live: Source = {
      cluster: 'm1',
      list: listed,
      watch,
      canWatch: async () => ({ is: 'allowed' }),
      hasLost: async () => false,
    };
    const { bookmark, restored, ...scened } = await scene(0, { options: { live } });
    bookmark('100');
    restored('50');
    return { ...scened, asked };
  }

  it('goes to the member: its own lists have such versions', async () => {
    const { hasLost, watch, list, asked, reasons } = await quiet('60');
    expect(await hasLost('60')).toBe(false);
    const lists = [list({ is: 'exact', version: '60' }), list({ is: 'not-older', version: '60' })];
    expect(await watch('60')).toMatchObject({ is: 'open' });
    for (const one of lists) expect((await one).end().metadata).toEqual({ resourceVersion: '60' });
    expect([asked, reasons]).toEqual([['60'], ['version', 'version', 'version']]);
  });

  it('but none that the member has not reached', async () => {
    const { hasLost, watch, asked } = await quiet('60');
    expect([await hasLost('61'), await hasLost('40')]).toEqual([true, true]);
    expect(await watch('61')).toMatchObject({ is: 'expired' });
    expect(asked).toEqual([]);
  });
});

it('CACHE-12: a list by the last yes of a member that cannot be asked has the warning', async () => {
  const yes = { isOld: true, onLost: () => () => {} };
  const { list } = await scene(0, { options: { permissions: { ask: async () => yes } } });
  const { warning } = await list({ is: 'any' });
  expect(warning).toBe('cluster "m1" cannot be reached: its objects are those of 2026-01-01T00:00:00.000Z');
});

describe('CACHE-12: the last known objects of a member that cannot be reached', () => {
  const stale = { staleSince: () => '2026-01-01T00:00:00.000Z' };

  it.each<[string, Otherwise]>([
    ['when its stream is no longer healthy', { feed: { ...stale, isFresh: () => false } }],
    ['after an own write that the stream has not shown', { feed: stale, options: { isWritePending: () => true } }],
  ])('%s', async (_, otherwise) => {
    const { list } = await scene(0, otherwise);
    const answer = await list({ is: 'latest' });
    expect(answer.warning).toContain('cluster "m1" cannot be reached');
    expect(await read(answer)).toMatchObject({ versions: ['1', '2', '3'] });
  });

  it.each<[string, Otherwise]>([
    ['the client wants fresh ones', { options: { isWritePending: () => true, requestOptions: { fresh: true } } }],
    ['the client wants those of the member', { options: { requestOptions: { consistent: true } } }],
  ])('are not listed where %s', async (_, otherwise) => {
    const { list } = await scene(0, otherwise);
    await expect(list({ is: 'latest' })).rejects.toThrow('answered missing');
  });
});

describe('RV-4: the position of its latest state', () => {
  it('is the version that a list of it would have, without reading one', async () => {
    const { list, bookmark, position } = await scene();
    expect(await position()).toBe('10');
    bookmark('20');
    expect(await position()).toBe('20');
    expect(await read(await list({ is: 'latest' }))).toMatchObject({ end: { resourceVersion: '20' } });
  });

  const old = async () => ({ isOld: true, onLost: () => () => {} });

  it.each<[string, Otherwise]>([
    ['who may not list it', { options: { permissions: { ask: async () => undefined } } }],
    ['whom the member allowed it before it became unreachable', { options: { permissions: { ask: old } } }],
    ['who wants the state of the member', { options: { requestOptions: { consistent: true } } }],
    ['who has written what it may not show yet', { options: { isWritePending: () => true } }],
    ['anybody while its stream is not healthy', { feed: { isFresh: () => false } }],
    ['anybody while the format of its lists is guessed', { feed: { isShapeKnown: () => false } }],
  ])('is not known to %s', async (_, otherwise) => {
    const { position } = await scene(0, otherwise);
    expect(await position()).toBeUndefined();
  });

  it('(IMP-3) takes the permission to list all objects', async () => {
    const asked: unknown[] = [];
    const ask = async (...question: unknown[]) => {
      asked.push(question.slice(0, 2));
      return undefined;
    };
    const { position } = await scene(0, { options: { permissions: { ask } } });
    await position();
    expect(asked).toEqual([['list', { labelSelector: '', fieldSelector: '' }]]);
  });
});
