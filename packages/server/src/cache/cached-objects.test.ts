import { ReplyBody } from '@fleet/client/reply-body.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { CachedObjects } from './cached-objects.ts';
import type { MemberPermissions } from './member-permissions.ts';
import { OwnWrites } from './own-writes.ts';
import { ResourceCache } from './resource-cache.ts';

/** A list of the objects `mine` and `other`, which are in no namespace, and a watch that stays open. */
const answer = ({ path }: { path: string }) => {
  if (path.includes('watch=true')) {
    const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
    body.push(Buffer.from('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"10"}}}\n'));
    return { status: 200, headers: {}, body };
  }
  const items = ['mine', 'other'].map((name) => ({ metadata: { name, uid: name, resourceVersion: '1' } }));
  return replyOf(200, { kind: 'ThingList', apiVersion: 'v1', metadata: { resourceVersion: '9' }, items });
};

/** Namespaces and Nodes, cached. The member allows the user everything in the namespace `mine`, and nothing in others. */
async function scene() {
  const cache = new ResourceCache({
    memory: 64 * 1024 * 1024,
    memberOf: () => ({ control: new FakeUpstream(answer), isReady: () => true }),
    log: silentLog().log,
  });
  onTestFinished(() => cache[Symbol.asyncDispose]());
  const of = { cluster: 'm1', member: 'm1', group: '', version: 'v1', namespace: undefined, namespaced: false };
  cache.want([
    { ...of, id: 'namespaces', resource: 'namespaces', kind: 'Namespace' },
    { ...of, id: 'nodes', resource: 'nodes', kind: 'Node' },
  ]);
  await vi.waitFor(() => {
    for (const resource of ['namespaces', 'nodes'])
      expect(cache.feedOf('m1', { ...of, resource })?.isFresh()).toBe(true);
  });
  const objects = new CachedObjects({
    cache,
    permissions: {
      of: (_cluster: string, _headers: object, { namespace }: { namespace?: string }) => ({
        ask: async () => (namespace === 'mine' ? { isOld: false, onLost: () => () => {} } : undefined),
      }),
    } as unknown as MemberPermissions,
    ownWrites: new OwnWrites({ now: () => 0 }),
    views: 'all',
    onLive: () => {},
    onCached: () => {},
  });
  /** The member itself answers 404. */
  return async (resource: string, namespace: string, name: string, path: string) => {
    const verb: Verb = 'get';
    const ask = { is: 'resource', verb, group: '', version: 'v1', resource, namespace, name } as const;
    const target = { ask: { ...ask, subresource: undefined, rest: [] }, requestOptions: {}, registered: true } as const;
    const asked = { cluster: 'm1', target, identity: {} };
    const live = new FakeUpstream(() => statusReply(404, 'NotFound', 'no such path'));
    const { signal } = new AbortController();
    const call = { method: 'GET', path, headers: { accept: 'application/json' }, signal };
    const { status } = await (objects.upstream(asked)?.(live) ?? live).call(call);
    const isKnown = await objects.known(asked, call)?.isThere(signal);
    const wasKnown = await objects.known(asked, call)?.wasThere(signal);
    return { status, isKnown: isKnown ?? false, wasKnown: wasKnown ?? false };
  };
}

test.each([
  ['another Namespace', 'namespaces', 'other'],
  ['a Node', 'nodes', 'other'],
  ['a Node of the same name', 'nodes', 'mine'],
])(
  'IMP-3: permissions in a namespace give nothing without a namespace from the cache: %s',
  async (_, resource, name) => {
    const get = await scene();
    const got = await get(resource, 'mine', name, `/api/v1/namespaces/mine/${resource}/${name}`);
    expect(got).toEqual({ status: 404, isKnown: false, wasKnown: false });
  },
);

test('IMP-3: a Namespace object is of its own namespace, and has one path only', async () => {
  const get = await scene();
  expect((await get('namespaces', 'mine', 'mine', '/api/v1/namespaces/mine')).status).toBe(200);
  expect((await get('namespaces', 'mine', 'mine', '/api/v1/namespaces/mine/namespaces/mine')).status).toBe(404);
  expect((await get('namespaces', 'other', 'other', '/api/v1/namespaces/other')).status).toBe(404);
});
