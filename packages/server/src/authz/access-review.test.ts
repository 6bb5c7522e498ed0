import { KubeClient } from '@fleet/client/kube-client.ts';
import { describe, expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { accessReviews } from './access-review.ts';

const user: User = { name: 'alice', uid: 'u', groups: ['b', 'a'], extra: { scopes: ['x'] }, origin: 'other' };
const permission = { resource: { verb: 'list', group: 'g', resource: 'r', name: '*' } };

const reviewing = (status: unknown) => {
  const upstream = new FakeUpstream(() => replyOf(201, { status }));
  return { upstream, reviews: accessReviews(new KubeClient(upstream)) };
};

describe('AUTHZ-1: the control plane is asked by SubjectAccessReview', () => {
  it('with everything that is known of the user', async () => {
    const { upstream, reviews } = reviewing({ allowed: true });
    expect(await reviews.isAllowed(user, permission)).toBe(true);
    expect(upstream.paths).toEqual(['POST /apis/authorization.k8s.io/v1/subjectaccessreviews']);
    expect(JSON.parse(String(upstream.calls[0]?.body)).spec).toEqual({
      user: 'alice',
      uid: 'u',
      groups: ['b', 'a'],
      extra: { scopes: ['x'] },
      resourceAttributes: permission.resource,
    });
  });

  it('paths are non-resource attributes', async () => {
    const { upstream, reviews } = reviewing({ allowed: true });
    await reviews.isAllowed(user, { path: { verb: 'get', path: '/healthz' } });
    expect(JSON.parse(String(upstream.calls[0]?.body)).spec.nonResourceAttributes).toEqual({
      verb: 'get',
      path: '/healthz',
    });
  });

  it('anything but a clear yes is a no', async () => {
    for (const status of [{ allowed: false }, {}, undefined, { denied: true }, { allowed: 'true' }]) {
      expect(await reviewing(status).reviews.isAllowed(user, permission)).toBe(false);
    }
  });

  it('users who differ in anything that counts are asked for separately', async () => {
    const { upstream, reviews } = reviewing({ allowed: true });
    const others: User[] = [
      user,
      { ...user, groups: ['a', 'b'] },
      { ...user, groups: ['a'] },
      { ...user, extra: {} },
      { ...user, uid: undefined },
      { ...user, name: 'bob' },
    ];
    for (const other of others) await reviews.isAllowed(other, permission);
    // The order of groups does not count.
    expect(upstream.calls).toHaveLength(5);
  });

  it('AUTHZ-2: whoever must know what counts now is not answered from memory', async () => {
    const { upstream, reviews } = reviewing({ allowed: true });
    await reviews.isAllowed(user, permission);
    await reviews.isAllowed(user, permission);
    expect(upstream.calls).toHaveLength(1);
    await reviews.isAllowed(user, permission, 0);
    expect(upstream.calls).toHaveLength(2);
  });

  it('no answer is 503, also where the control plane refuses us: neither 401 nor 403 for the user', async () => {
    const { upstream, reviews } = reviewing({ allowed: true });
    for (const code of [500, 503, 403, 401]) {
      upstream.answer = () => statusReply(code, 'Reason', 'away');
      await expect(reviews.isAllowed(user, permission)).rejects.toMatchObject({
        code: 503,
        reason: 'ServiceUnavailable',
      });
    }
  });
});
