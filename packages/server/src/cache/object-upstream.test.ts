import { MemoryShard } from '@fleet/cache/shard.ts';
import { podFeed, sampleObject, sampleRow } from '@fleet/cache/testing/sample-objects.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { unavailable } from '@fleet/kube/status.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BusyError } from '../members/limited.ts';
import { type Answer, FakeUpstream, replyOf, silence } from '../testing/fake-upstream.ts';
import type { LiveReason, Yes } from './cached-feed.ts';
import { CachedObject } from './cached-object.ts';
import { answeringGets } from './object-upstream.ts';

interface Options {
  key?: string;
  isFresh?: boolean;
  stale?: boolean;
  yes?: Partial<Yes> | 'none';
  fresh?: boolean;
  isAggregation?: boolean;
  isPruned?: boolean;
  live?: Answer;
}

const live: Answer = () => replyOf(200, { live: true });
const unreachable: Answer = () => Promise.reject(new UnreachableError(false, {}));
const since = '2026-01-01T00:00:00.000Z';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

async function scene({ key = 'd/a', isFresh = true, stale = false, yes = {}, ...options }: Options = {}) {
  const shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024 });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  writer.columns([{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }]);
  {
    using relist = writer.relist('row');
    relist.add([Buffer.from(sampleRow({ key: 'd/a', version: 7 }))]);
    relist.commit('10');
  }
  const object = new CachedObject({
    cluster: 'm1',
    feed: {
      id: podFeed.id,
      shard,
      isFresh: () => isFresh,
      isPruned: options.isPruned ?? false,
      staleSince: () => (stale ? since : undefined),
      lastHeard: () => since,
    },
    key,
    allowed: async () => (yes === 'none' ? undefined : { isOld: false, onLost: () => () => {}, ...yes }),
    fresh: options.fresh ?? false,
    canPrune: options.isAggregation ?? true,
  });
  const reasons: (LiveReason | 'cached')[] = [];
  const member = new FakeUpstream(options.live ?? live);
  const upstream = answeringGets(member, {
    object,
    isAggregation: options.isAggregation ?? true,
    onLive: (reason) => reasons.push(reason),
    onCached: () => reasons.push('cached'),
  });
  const get = async (query = '', headers: Record<string, string> = {}, method = 'GET') => {
    const path = `/api/v1/namespaces/d/pods/a${query}`;
    const signal = new AbortController().signal;
    const reply = await upstream.call({ method, path, headers: { accept: 'application/json', ...headers }, signal });
    return { ...reply, text: (await reply.body.bytes()).toString() };
  };
  return { get, object, member, reasons, bookmark: (version: string) => writer.apply([], version) };
}

const isLive = { text: '{"live":true}' };
const whole = `${sampleObject({ key: 'd/a', version: 7 })}\n`;

describe('CACHE-7: the GET of one object at the aggregation endpoint', () => {
  it('is the member’s bytes, without asking it', async () => {
    const { get, member, reasons } = await scene();
    const { status, headers, text } = await get();
    expect({ status, text }).toEqual({ status: 200, text: whole });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    expect(headers['warning']).toBeUndefined();
    expect([member.calls.length, reasons]).toEqual([0, ['cached']]);
  });

  it('as a Table it is one row, with the version of the object', async () => {
    const { get } = await scene();
    expect(JSON.parse((await get('?includeObject=None', { accept: table })).text)).toMatchObject({
      kind: 'Table',
      metadata: { resourceVersion: '7' },
      columnDefinitions: [{ name: 'Name' }],
      rows: [{ object: null }],
    });
  });

  it('as metadata', async () => {
    const { get } = await scene();
    const { text } = await get('', { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
    expect(JSON.parse(text)).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a', namespace: 'd' } });
    expect(text.endsWith('}\n')).toBe(true);
  });

  it.each<[string, Options, string, Record<string, string>, LiveReason]>([
    ['an object that the cache does not have', { key: 'd/b' }, '', {}, 'absent'],
    ['a stream that is not healthy, or a write of our own', { isFresh: false }, '', {}, 'not-fresh'],
    ['a user whom the member has not allowed it', { yes: 'none' }, '', {}, 'not-allowed'],
    ['version 0, not allowed', { yes: 'none' }, '?resourceVersion=0', {}, 'not-allowed'],
    ['what is no version', {}, '?resourceVersion=many', {}, 'form'],
    ['pretty', {}, '?pretty=1', {}, 'form'],
    ['curl', {}, '', { 'user-agent': 'curl/8.5' }, 'form'],
    ['an older form', {}, '', { accept: table.replace('v=v1', 'v=v1beta1') }, 'form'],
    ['no such includeObject', {}, '?includeObject=Some', { accept: table }, 'form'],
    ['protobuf', {}, '', { accept: 'application/vnd.kubernetes.protobuf' }, 'form'],
  ])('CACHE-17: %s goes to the member with the same request', async (_, options, query, headers, reason) => {
    const { get, member, reasons } = await scene(options);
    expect(await get(query, headers)).toMatchObject(isLive);
    expect(member.paths).toEqual([`GET /api/v1/namespaces/d/pods/a${query}`]);
    expect(reasons).toEqual([reason]);
  });

  it('anything but GET is the member’s', async () => {
    const { get } = await scene();
    expect(await get('', {}, 'HEAD')).toMatchObject(isLive);
  });

  it('a version: once the stream has passed it, 3 s at most', async () => {
    const { get, bookmark } = await scene({ isFresh: false });
    expect(await get('?resourceVersion=10')).toMatchObject({ text: whole });
    expect(await get('?resourceVersion=1')).toMatchObject({ text: whole });
    const later = get('?resourceVersion=12');
    bookmark('12');
    expect(await later).toMatchObject({ text: whole });
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const never = get('?resourceVersion=20');
    await vi.advanceTimersByTimeAsync(3_001);
    expect(await never).toMatchObject(isLive);
  });

  it('version 0 is the cache as it is', async () => {
    const { get, member } = await scene({ isFresh: false });
    expect(await get('?resourceVersion=0')).toMatchObject({ text: whole });
    expect(member.calls).toEqual([]);
  });
});

describe('CACHE-12: a member that is unreachable', () => {
  const down = { isFresh: false, stale: true, live: unreachable };
  const warning = [`299 - "cluster \\"m1\\" cannot be reached: its objects are those of ${since}"`];

  it.each<[string, Options, string, Record<string, string>]>([
    ['in the aggregation family', {}, '', {}],
    ['in the aggregation family, for curl', {}, '', { 'user-agent': 'curl/8.5' }],
    ['version 0', {}, '?resourceVersion=0', {}],
    ['version 0, for curl', {}, '?resourceVersion=0', { 'user-agent': 'curl/8.5' }],
    ['in other views as a Table', { isAggregation: false }, '', { accept: table }],
    ['in other views with version 0', { isAggregation: false }, '?resourceVersion=0', {}],
    ['by the last yes', { yes: { isOld: true } }, '', {}],
    ['one that is not ready', { live: () => Promise.reject(unavailable('not ready')) }, '', {}],
    ['one that answers 503', { live: () => replyOf(503, {}) }, '', {}],
    ['one that does not accept our credential', { live: () => replyOf(401, {}) }, '', {}],
    ['one whose stream nobody has missed yet', { stale: false }, '', {}],
  ])('%s: its last known object, with a warning', async (_, options, query, headers) => {
    const { get } = await scene({ ...down, ...options });
    expect(await get(query, headers)).toMatchObject({ status: 200, headers: { warning } });
  });

  it.each<[string, Options, string]>([
    ['fresh=true', { fresh: true }, ''],
    ['fresh=true and version 0', { fresh: true }, '?resourceVersion=0'],
    ['in other views as JSON', { isAggregation: false }, ''],
    ['a user without a yes', { yes: 'none' }, ''],
    ['an object that it did not have', { key: 'd/b' }, ''],
    [
      'CACHE-6: in other views, one without managedFields',
      { isAggregation: false, isPruned: true },
      '?resourceVersion=0',
    ],
    ['our own limit', { live: () => Promise.reject(new BusyError('m1')) }, ''],
  ])('NAME-8: %s', async (_, options, query) => {
    const { get } = await scene({ ...down, ...options });
    await expect(get(query)).rejects.toThrow();
  });

  it('NAME-8: a version that its stream never came to', async () => {
    const { get } = await scene({ ...down, isAggregation: false });
    await expect(get('?resourceVersion=20', { accept: table })).rejects.toThrow();
    expect(await get('?resourceVersion=9', { accept: table })).toMatchObject({ headers: { warning } });
  });

  it('is waited for 5 s; its late answer counts where nothing else can be shown', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { get, member } = await scene({ ...down, live: silence });
    const answer = get();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answer).toMatchObject({ headers: { warning } });
    expect(member.calls[0]!.signal.aborted).toBe(true);
    const late = Promise.withResolvers<ReturnType<typeof replyOf>>();
    const unknown = await scene({ ...down, yes: 'none', live: () => late.promise });
    const waiting = unknown.get();
    await vi.advanceTimersByTimeAsync(6_000);
    late.resolve(replyOf(200, { live: true }));
    expect(await waiting).toMatchObject(isLive);
  });
});

describe('CACHE-8: whether a member has an object', () => {
  const { signal } = new AbortController();

  it.each<[string, Options, boolean | undefined]>([
    ['has it', {}, true],
    ['lacks it', { key: 'd/b' }, false],
    ['its stream is not healthy', { isFresh: false }, undefined],
    ['the user is not allowed to get it', { yes: 'none' }, undefined],
    ['the yes is of a member that cannot be asked', { yes: { isOld: true } }, undefined],
  ])('%s', async (_, options, known) => {
    expect(await (await scene(options)).object.isThere(signal)).toBe(known);
  });
});
