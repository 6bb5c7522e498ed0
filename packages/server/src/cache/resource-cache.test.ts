import { ScriptedMember } from '@fleet/cache/reflector/testing/scripted-member.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import type { RegisteredFeed } from './cached-resource.ts';
import { ResourceCache } from './resource-cache.ts';

const asked = (resource: string) => ({ group: '', version: 'v1', resource, namespace: undefined });

const registered = (resource: string): RegisteredFeed => ({
  id: resource,
  cluster: 'm1',
  member: 'm1',
  ...asked(resource),
  kind: 'Pod',
  namespaced: true,
});

/** Every resource of the member is the same. */
function scene(member: Upstream, memory: number) {
  const ready = { is: true };
  const cache = new ResourceCache({
    memory,
    memberOf: () => ({ control: member, isReady: () => ready.is }),
    log: silentLog().log,
  });
  onTestFinished(() => cache[Symbol.asyncDispose]());
  return { cache, ready, stateOf: (resource: string) => cache.stateOf('m1', asked(resource)) };
}

/** Without those of RBAC objects, which are read as metadata. */
const lists = (member: ScriptedMember): number => member.count('limit=500 Table');

const large = 64 * 1024 * 1024;

test('CACHE-2: reports how far each resource is filled, and that something has happened', async () => {
  const member = new ScriptedMember(5, ['a', 'b']);
  const { cache, ready, stateOf } = scene(member, large);
  const changed = vi.fn();
  cache.events.on('state', changed);
  expect(stateOf('pods')).toBeUndefined();
  cache.want([registered('pods')]);
  expect(stateOf('pods')).toMatchObject({ is: 'filling', objects: 0 });
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject({ is: 'synced', objects: 2 }));
  expect(stateOf('pods')!.bytes).toBeGreaterThan(0);
  expect(stateOf('pods')!.lastEvent).toBeGreaterThan(Date.now() - 60_000);
  expect(changed).toHaveBeenCalled();
  ready.is = false;
  expect(stateOf('pods')).toMatchObject({ is: 'unreachable', objects: 2 });
  cache.want([]);
  expect(stateOf('pods')).toBeUndefined();
});

test('IMP-6: a resource that the member does not grant', async () => {
  const member = new ScriptedMember(5);
  const { cache, stateOf } = scene(member, large);
  member.instead = () => statusReply(403, 'Forbidden', 'pods is forbidden');
  cache.want([registered('pods')]);
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject({ is: 'not-granted', error: 'pods is forbidden' }));
  member.instead = undefined;
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject({ is: 'synced' }), { timeout: 10_000 });
});

test('CACHE-18: what does not fit is tried again when something else is no longer registered', async () => {
  const member = new ScriptedMember(5, ['a']);
  const { cache, stateOf } = scene(member, 1);
  cache.want([registered('pods'), registered('others')]);
  await vi.waitFor(() => {
    expect(stateOf('pods')).toMatchObject({ is: 'full', objects: 0 });
    expect(stateOf('others')).toMatchObject({ is: 'full' });
  });
  const before = lists(member);
  cache.want([registered('pods')]);
  await vi.waitFor(() => expect(lists(member)).toBeGreaterThan(before));
});

test('IMP-6: what the product may list but not watch is not granted, and not filled', async () => {
  const member = new ScriptedMember(5, ['a']);
  const { cache, stateOf } = scene(member, large);
  member.instead = (_, query) => (query.has('watch') ? statusReply(403, 'Forbidden', 'no watch') : undefined);
  cache.want([registered('pods')]);
  const refused = { is: 'not-granted', objects: 0, error: 'no watch' };
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject(refused));
  expect(lists(member)).toBe(0);
  member.instead = undefined;
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject({ is: 'synced', objects: 1 }), { timeout: 10_000 });
  expect(lists(member)).toBe(1);
});

test('IMP-6: what is revoked later is dropped, and no longer counted', async () => {
  const member = new ScriptedMember(5, ['a']);
  const { cache, stateOf } = scene(member, large);
  cache.want([registered('pods')]);
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject({ is: 'synced', objects: 1 }));
  member.instead = () => statusReply(403, 'Forbidden', 'revoked');
  member.endStreams();
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject({ is: 'not-granted', objects: 0, error: 'revoked' }));
});

test('another server under the name of a cluster has its own watch of RBAC objects', () => {
  const { cache } = scene(new ScriptedMember(5, ['a']), large);
  cache.want([registered('pods')]);
  const before = cache.rbacOf('m1');
  cache.want([{ ...registered('pods'), id: 'other', member: 'm1 at another endpoint' }]);
  expect(cache.rbacOf('m1')).toBeUndefined();
  expect(cache.rbacOf('m1 at another endpoint')).not.toBe(before);
});

test('a path within a namespace of what has none is the member’s to refuse', async () => {
  const member = new ScriptedMember(5);
  const { cache, stateOf } = scene(member, large);
  cache.want([{ ...registered('nodes'), namespaced: false }]);
  await vi.waitFor(() => expect(stateOf('nodes')).toMatchObject({ is: 'synced' }));
  expect(cache.feedOf('m1', asked('nodes'))).toBeDefined();
  expect(cache.feedOf('m1', { ...asked('nodes'), namespace: 'shop' })).toBeUndefined();
});

/** How many lists of a single object it answers at once, without those of RBAC objects. */
class CountingMember extends ScriptedMember {
  most = 0;
  private now = 0;

  override async call(request: Parameters<ScriptedMember['call']>[0]): ReturnType<ScriptedMember['call']> {
    if (!/^\/api\/v1\/.*\?limit=1$/.test(request.path)) return super.call(request);
    this.most = Math.max(this.most, ++this.now);
    await new Promise((resolve) => setImmediate(resolve));
    this.now--;
    return super.call(request);
  }
}

test('CACHE-5: of a large registry a few resources are learnt at once, and all are filled', async () => {
  const member = new CountingMember(5, ['a']);
  const names = Array.from({ length: 30 }, (_, index) => `r${index}`);
  const { cache, stateOf } = scene(member, large);
  cache.want(names.map(registered));
  await vi.waitFor(() => {
    for (const name of names) expect(stateOf(name)).toMatchObject({ is: 'synced' });
  });
  expect(member.most).toBe(4);
});

test('CACHE-7: the stream of a member whose probe fails is not fresh, however lately it brought something', async () => {
  const member = new ScriptedMember(5, ['a']);
  const { cache, ready, stateOf } = scene(member, large);
  cache.want([registered('pods')]);
  await vi.waitFor(() => expect(stateOf('pods')).toMatchObject({ is: 'synced' }));
  const feed = cache.feedOf('m1', asked('pods'))!;
  member.bookmark();
  await vi.waitFor(() => expect(feed.isFresh()).toBe(true));
  expect(feed.staleSince()).toBeUndefined();
  ready.is = false;
  expect(feed.isFresh()).toBe(false);
  expect(feed.staleSince()).toBe(feed.lastHeard());
});
