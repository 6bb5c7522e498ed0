import type { Upstream } from '@fleet/client/upstream.ts';
import { notFound } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import type { User } from './authn/user.ts';
import { allowedIdentitiesAnnotation } from './members/allowed-identities.ts';
import type { Cluster } from './members/cluster.ts';
import type { Member } from './members/member.ts';
import type { MemberRegistry } from './members/registry.ts';
import { readListQuery } from './merge/list-query.ts';
import { createPlaces, type PlacesOptions } from './places.ts';
import { FakeUpstream, replyOf } from './testing/fake-upstream.ts';
import { knownKinds } from './testing/known-kinds.ts';
import { incomingOf, targetOf, templateTargetOf } from './testing/targets.ts';

const alice: User = {
  name: 'alice',
  uid: undefined,
  groups: ['system:authenticated', 'devs'],
  extra: {},
  origin: 'other',
};
const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };

const cluster = {
  metadata: { name: 'm1', annotations: { [allowedIdentitiesAnnotation]: 'system:serviceaccount:ns:known' } },
  spec: { syncMode: 'Push' },
} satisfies Cluster;

function places(ready = true, active = true, options?: PlacesOptions) {
  const [controlPlane, member] = [new FakeUpstream(() => replyOf(200, {})), new FakeUpstream(() => replyOf(200, list))];
  const members = {
    get(name: string): Partial<Member> {
      if (name !== 'm1') throw notFound({ group: 'cluster.karmada.io', resource: 'clusters' }, name);
      return { name, ready, reason: 'cannot be reached', impersonator: member, cluster };
    },
    cluster: (name: string) => (name === 'm1' ? cluster : undefined),
    isActive: () => active,
  } as unknown as MemberRegistry;
  return {
    controlPlane,
    member,
    ...createPlaces({ upstream: controlPlane }, members, { strip: async (body) => body }, knownKinds, options),
  };
}

const granted = (user: User, url = '/api/v1/pods') => ({ user, target: targetOf('GET', url) });
const ask = { query: readListQuery('').begin('m1'), form: 'object' as const, signal: new AbortController().signal };

const asked = { headers: {} };

describe('NAME-5: the control plane as a source of the merged view', () => {
  it('is asked as the user, as it is, where federation is on', async () => {
    const { sourceOf, controlPlane } = places();
    controlPlane.answer = () => replyOf(200, list);
    const target = templateTargetOf('GET', '/api/v1/pods');
    const source = sourceOf('karmada', { user: alice, target }, incomingOf('GET', '/api/v1/pods'));
    expect(await source.list(ask)).toMatchObject({ is: 'list' });
    expect(controlPlane.calls[0]).toMatchObject({
      path: '/api/v1/pods?limit=500',
      headers: { 'impersonate-user': 'alice', 'impersonate-group': ['devs'] },
    });
  });

  it('is no cluster where it is off', () => {
    const incoming = incomingOf('GET', '/api/v1/pods');
    expect(() => places().sourceOf('karmada', granted(alice), incoming)).toThrow('"karmada" not found');
  });
});

describe('the transports to places', () => {
  it('IMP-5: members see a user filtered, the control plane sees it as it is', () => {
    const { routeTo, controlPlane, member } = places();
    const account: User = { ...alice, name: 'system:serviceaccount:ns:sa' };
    expect(routeTo('m1', granted(account), asked)).toMatchObject({
      upstream: member,
      identity: { 'impersonate-user': 'fleet:serviceaccount:ns:sa' },
    });
    expect(routeTo('karmada', granted(account), asked)).toMatchObject({
      upstream: controlPlane,
      identity: { 'impersonate-user': 'system:serviceaccount:ns:sa' },
    });
  });

  it('IMP-5: names that a Cluster allows are shown to its member, in lists too', async () => {
    const { routeTo, sourceOf, member } = places();
    const account: User = { ...alice, name: 'system:serviceaccount:ns:known' };
    expect(routeTo('m1', granted(account), asked).identity).toMatchObject({ 'impersonate-user': account.name });
    await sourceOf('m1', granted(account), incomingOf('GET', '/api/v1/pods')).list(ask);
    expect(member.calls[0]?.headers).toMatchObject({ 'impersonate-user': account.name });
  });

  it('IMP-5: a user whom a member must not know is refused there, as others may know it', async () => {
    const { routeTo, sourceOf, member } = places();
    const admin: User = { ...alice, name: 'system:admin' };
    expect(() => routeTo('m1', granted(admin), asked)).toThrow(expect.objectContaining({ code: 403 }));
    const source = sourceOf('m1', granted(admin), incomingOf('GET', '/api/v1/pods'));
    expect(await source.list(ask)).toMatchObject({ is: 'refused', error: { code: 403 } });
    expect(member.calls).toEqual([]);
  });

  it('SEC-1: pages behind proxies are sandboxed unless that is switched off', () => {
    const upstreams = { measured: (_: string, to: Upstream) => to, limited: (_: string, to: Upstream) => to };
    for (const cluster of ['m1', 'karmada']) {
      expect(places().routeTo(cluster, granted(alice), asked).openPages).toBe(false);
      const open = places(true, true, { ...upstreams, openPages: true });
      expect(open.routeTo(cluster, granted(alice), asked).openPages).toBe(true);
    }
  });

  it('LIMIT-2: requests to members are limited, streams and the control plane are not', () => {
    const limited: string[] = [];
    const options: PlacesOptions = {
      measured: (_, upstream) => upstream,
      limited(cluster, upstream, until, line = 'requests') {
        limited.push(`${cluster} ${until} ${line}`);
        return upstream;
      },
    };
    const { routeTo, sourceOf } = places(true, true, options);
    routeTo('m1', granted(alice, '/clusterspaces/m1/api/v1/pods?watch=true'), asked);
    routeTo('m1', granted(alice, '/clusterspaces/m1/api/v1/namespaces/a/pods/x/log'), asked);
    routeTo('karmada', granted(alice), asked);
    expect(limited).toEqual([]);
    routeTo('m1', granted(alice, '/clusterspaces/m1/api/v1/pods'), asked);
    sourceOf('m1', granted(alice), incomingOf('GET', '/api/v1/pods'));
    sourceOf('m1', granted(alice, '/api/v1/pods?watch=true'), incomingOf('GET', '/api/v1/pods'));
    expect(limited).toEqual(['m1 read requests', 'm1 answered requests', 'm1 answered watches']);
  });

  it('NAME-8: unknown is 404; not ready is 503 without Retry-After and is not tried', () => {
    expect(() => places().routeTo('zz', granted(alice), asked)).toThrow(expect.objectContaining({ code: 404 }));
    expect(() => places(false).routeTo('m1', granted(alice), asked)).toThrow(
      expect.objectContaining({ code: 503, details: undefined }),
    );
  });

  it('LIST-4: a member known to be unreachable is not waited for', async () => {
    const { sourceOf, member } = places(false);
    const source = sourceOf('m1', granted(alice), incomingOf('GET', '/api/v1/pods'));
    expect(await source.list(ask)).toEqual({ is: 'missing', reason: 'cannot be reached' });
    expect(member.calls).toEqual([]);
  });

  it('KS-2: a member that is not active is left out of lists without a word', async () => {
    const { sourceOf, member } = places(true, false);
    const source = sourceOf('m1', granted(alice), incomingOf('GET', '/api/v1/pods'));
    expect(await source.list(ask)).toEqual({ is: 'absent' });
    expect(member.calls).toEqual([]);
  });

  it('IMP-1: a list goes to a member as the user, with the client’s user agent and address, and nothing else of it', async () => {
    const { sourceOf, member } = places();
    const claimed = { 'x-remote-user': 'root', 'x-forwarded-for': '10.0.0.1' };
    const headers = { 'user-agent': 'kubectl', authorization: 'Bearer mine', ...claimed };
    await sourceOf('m1', granted(alice), incomingOf('GET', '/api/v1/pods', { headers })).list(ask);
    expect(member.calls[0]?.headers).toEqual({
      'user-agent': 'kubectl',
      'x-forwarded-for': '127.0.0.1',
      'impersonate-user': 'alice',
      'impersonate-group': ['devs'],
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });
});
