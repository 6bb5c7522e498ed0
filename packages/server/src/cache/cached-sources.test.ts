import { ScriptedMember } from '@fleet/cache/reflector/testing/scripted-member.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Source } from '../merge/source.ts';
import type { Ask } from '../target/target.ts';
import { FakeUpstream, replyOf, silence } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { CachedSources } from './cached-sources.ts';
import type { MemberPermissions } from './member-permissions.ts';
import { OwnWrites } from './own-writes.ts';
import { ResourceCache } from './resource-cache.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const askOf = (verb: Verb, name?: string, subresource?: string): Ask =>
  ({ is: 'resource', verb, ...pods, namespace: 'web', name, subresource, rest: [] }) as Ask;

/** The pods of one member at version 5000, cached. `reads` lists them once and returns where from. */
async function scene(...names: string[]) {
  const member = new ScriptedMember(5_000, names);
  const cache = new ResourceCache({
    memory: 64 * 1024 * 1024,
    memberOf: () => ({ control: member, isReady: () => true }),
    log: silentLog().log,
  });
  onTestFinished(() => cache[Symbol.asyncDispose]());
  const time = { now: 0 };
  const reasons: string[] = [];
  const sources = new CachedSources({
    cache,
    permissions: {
      of: () => ({ ask: async () => ({ isOld: false, onLost: () => () => {} }) }),
    } as unknown as MemberPermissions,
    ownWrites: new OwnWrites({ now: () => time.now }),
    views: 'all',
    onLive: (_, reason) => reasons.push(reason),
    onCached: () => reasons.push('cached'),
  });
  cache.want([
    { id: 'pods', cluster: 'm1', member: 'm1', ...pods, namespace: undefined, kind: 'Pod', namespaced: true },
  ]);
  const whole = { ...pods, namespace: undefined };
  const isFresh = () => expect(cache.feedOf('m1', whole)?.isFresh()).toBe(true);
  await vi.waitFor(() => expect(cache.feedOf('m1', whole)).toBeDefined());
  // The list is there before the watch is open: a bookmark in between would reach nobody.
  await vi.waitFor(() => expect(member.watches).toBeGreaterThan(0));
  member.bookmark();
  await vi.waitFor(isFresh);
  const live: Source = {
    cluster: 'm1',
    list: async () => ({ is: 'absent' }),
    watch: () => Promise.reject(new Error('no watch was expected')),
    canWatch: () => Promise.reject(new Error('no watch was expected')),
    hasLost: async () => false,
  };
  const reads = async (identity: Headers = {}) => {
    const target = { ask: askOf('list'), requestOptions: {} };
    const selection = { text: '', labelSelector: '', fieldSelector: '', includeObject: undefined };
    const query = { limit: undefined, timeout: undefined, selection, at: { is: 'latest' } as const };
    const { signal } = new AbortController();
    await sources.source({ cluster: 'm1', target, identity }, live).list({ query, form: 'object', signal });
    return reasons.at(-1);
  };
  /** `meanwhile`: before the answer comes. */
  const write = async (ask: Ask, answer: object, meanwhile?: () => Promise<void>) => {
    const upstream = new FakeUpstream(async () => {
      await meanwhile?.();
      return { ...replyOf(200, answer), headers: { 'content-type': 'application/json' } };
    });
    const { signal } = new AbortController();
    const call = { method: 'PUT', path: '/api/v1/namespaces/web/pods/a', headers: {}, signal };
    await sources.upstream({ cluster: 'm1', target: { ask, requestOptions: {} }, identity: {} }, upstream).call(call);
  };
  /** A write of whose answer nothing is known. */
  const abort = async (identity: Headers) => {
    const over = new AbortController();
    const target = { ask: askOf('patch', 'a'), requestOptions: {} };
    const upstream = sources.upstream({ cluster: 'm1', target, identity }, new FakeUpstream(silence));
    const call = { method: 'PATCH', path: '/api/v1/namespaces/web/pods/a', headers: {}, signal: over.signal };
    const answer = upstream.call(call);
    over.abort(new Error('the client is gone'));
    await expect(answer).rejects.toThrow('gone');
  };
  const checks = () => member.count('NotOlderThan');
  const position = () => cache.feedOf('m1', whole)?.position();
  return { member, time, position, reads, write, abort, checks };
}

test('CACHE-7: a write that its client aborts keeps that user from the cache for 5 s, and no other', async () => {
  const { time, reads, abort } = await scene('a');
  const [mallory, alice] = ['mallory', 'alice'].map((name) => ({ 'impersonate-user': name }));
  await abort(mallory!);
  expect([await reads(mallory), await reads(alice)]).toEqual(['own-write', 'cached']);
  const withAnotherToken = { ...mallory, 'impersonate-extra-authentication.kubernetes.io%2fcredential-id': 'JTI=2' };
  expect(await reads(withAnotherToken)).toBe('own-write');
  time.now += 5_000;
  expect(await reads(mallory)).toBe('cached');
});

const podAt = (name: string, version: number) => ({
  kind: 'Pod',
  metadata: { name, namespace: 'web', resourceVersion: String(version) },
});

test('CACHE-5: what is registered and not filled yet is answered by the member alone, lost versions too', async () => {
  const cache = new ResourceCache({
    memory: 64 * 1024 * 1024,
    memberOf: () => ({ control: new FakeUpstream(silence), isReady: () => true }),
    log: silentLog().log,
  });
  onTestFinished(() => cache[Symbol.asyncDispose]());
  cache.want([
    { id: 'pods', cluster: 'm1', member: 'm1', ...pods, namespace: undefined, kind: 'Pod', namespaced: true },
  ]);
  const reasons: string[] = [];
  const sources = new CachedSources({
    cache,
    permissions: {} as MemberPermissions,
    ownWrites: new OwnWrites({ now: () => 0 }),
    views: 'all',
    onLive: (_, reason) => reasons.push(reason),
    onCached: () => {},
  });
  const live: Source = {
    cluster: 'm1',
    list: async () => ({ is: 'absent' }),
    watch: async () => ({ is: 'absent' }),
    canWatch: async () => ({ is: 'allowed' }),
    hasLost: async (version) => version === '400',
  };
  const source = sources.source(
    { cluster: 'm1', target: { ask: askOf('watch'), requestOptions: {} }, identity: {} },
    live,
  );
  const { signal } = new AbortController();
  const selection = { text: '', labelSelector: '', fieldSelector: '', includeObject: undefined };
  const ask = { from: '400', selection, form: 'object', signal } as const;
  expect(await Promise.all([source.hasLost('400', signal), source.hasLost('500', signal)])).toEqual([true, false]);
  expect(await source.canWatch(ask)).toEqual({ is: 'allowed' });
  expect(await source.watch(ask)).toEqual({ is: 'absent' });
  expect(reasons).toEqual(['not-filled']);
});

test('CACHE-7: a write is read live until the stream shows its version', async () => {
  const { member, reads, write } = await scene('a');
  expect(await reads()).toBe('cached');
  await write(askOf('update', 'a'), podAt('a', member.version + 1));
  expect(await reads()).toBe('own-write');
  member.put('a');
  await vi.waitFor(async () => expect(await reads()).toBe('cached'));
});

test.each<[string, Ask]>([
  ['an update', askOf('update', 'a')],
  ['a create', askOf('create')],
])(
  'CACHE-5: %s that got a version that the stream had passed is read live, and the member asked whether it was restored',
  async (_, ask) => {
    const { time, reads, write, checks } = await scene('a');
    await write(ask, podAt('a', 900));
    expect(await reads()).toBe('own-write');
    await vi.waitFor(() => expect(checks()).toBe(1));
    time.now += 5_000;
    expect(await reads()).toBe('cached');
  },
);

test('CACHE-7: an update that changes nothing has the version that is shown: no sign of a restore', async () => {
  const { reads, write, checks } = await scene('a');
  await write(askOf('update', 'a'), podAt('a', 5_000));
  expect(await reads()).toBe('cached');
  expect(checks()).toBe(0);
});

test('CACHE-7: a write that the stream shows before its answer comes is no sign of a restore', async () => {
  const { member, position, reads, write, checks } = await scene('a');
  const version = member.version + 1;
  await write(askOf('update', 'a'), podAt('a', version), async () => {
    member.put('a', 'another');
    await vi.waitFor(() => expect(position()).toBe(String(version + 1)));
  });
  expect(await reads()).toBe('cached');
  expect(checks()).toBe(0);
});

const deletedStatus = (uid: string) => ({ kind: 'Status', status: 'Success', details: { uid } });

test('CACHE-7: a deleted object that the stream has never shown is not taken for gone', async () => {
  const { time, reads, write } = await scene('a');
  await write(askOf('delete', 'new'), deletedStatus('u9'));
  expect(await reads()).toBe('own-write');
  time.now += 5_000;
  expect(await reads()).toBe('cached');
});

test('CACHE-7: nor is one of another uid than the stream has shown under its name', async () => {
  const { reads, write } = await scene('a');
  await write(askOf('delete', 'a'), deletedStatus('u9'));
  expect(await reads()).toBe('own-write');
});

test('CACHE-7: one that the stream has shown is gone when it shows that', async () => {
  const { member, reads, write } = await scene('a');
  await write(askOf('delete', 'a'), deletedStatus('u1'));
  expect(await reads()).toBe('own-write');
  member.delete('a');
  await vi.waitFor(async () => expect(await reads()).toBe('cached'));
});
