import { describe, expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { targetOf } from '../testing/targets.ts';
import type { AccessReviewer } from './access-review.ts';
import { createAuthorizer } from './authorize.ts';

const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'elsewhere' };
const proxy = '/apis/cluster.karmada.io/v1alpha1/clusters';

/** Grants by `verb resource[/sub] name` or `verb path`. */
function authorizer(grants: readonly string[], members: readonly string[] = ['member1', 'member2', 'member3']) {
  const asked: string[] = [];
  const reviews: AccessReviewer = {
    async may(_, attributes) {
      const question =
        'path' in attributes
          ? `${attributes.path.verb} ${attributes.path.path}`
          : `${attributes.resource.verb} ${attributes.resource.resource}${attributes.resource.subresource ? `/${attributes.resource.subresource}` : ''}.${attributes.resource.group} ${attributes.resource.name}`;
      asked.push(question);
      return grants.includes(question);
    },
  };
  const { authorize } = createAuthorizer(reviews, () => members);
  const ask = async (method: string, url: string) => (await authorize(alice, targetOf(method, url))).place;
  return { ask, asked };
}

describe('AUTHZ-2: reaching members needs a right in the control plane', () => {
  it('the right to * is asked first, and then no other', async () => {
    const { ask, asked } = authorizer(['list clusterspaces.cluster.karmada.io *']);
    expect(await ask('GET', '/api/v1/pods')).toEqual({ at: 'many', clusters: ['member1', 'member2', 'member3'] });
    expect(asked).toEqual(['list clusterspaces.cluster.karmada.io *']);
  });

  it('without it each cluster is asked for, and the granted ones are left', async () => {
    const { ask, asked } = authorizer(['list clusterspaces.cluster.karmada.io member2']);
    expect(await ask('GET', '/api/v1/pods')).toEqual({ at: 'many', clusters: ['member2'] });
    expect(asked).toEqual(
      ['*', 'member1', 'member2', 'member3'].map((name) => `list clusterspaces.cluster.karmada.io ${name}`),
    );
  });

  it('ERR-3: a list without a right to any member is 403', async () => {
    const { ask } = authorizer([]);
    await expect(ask('GET', '/api/v1/pods')).rejects.toMatchObject({
      code: 403,
      message:
        'clusterspaces.cluster.karmada.io is forbidden: User "alice" cannot list resource "clusterspaces" in API group "cluster.karmada.io" at the cluster scope',
      details: { group: 'cluster.karmada.io', kind: 'clusterspaces' },
    });
  });

  it('an empty fleet is no missing right', async () => {
    const { ask } = authorizer([], []);
    expect(await ask('GET', '/api/v1/pods')).toEqual({ at: 'many', clusters: [] });
  });

  it('the proxy needs clusters/proxy with the outer verb; 403 names cluster and user', async () => {
    const { ask, asked } = authorizer(['create clusters/proxy.cluster.karmada.io member1']);
    expect(await ask('POST', `${proxy}/member1/proxy/api/v1/namespaces/d/pods`)).toEqual({
      at: 'one',
      cluster: 'member1',
    });
    expect(asked).toEqual([
      'create clusters/proxy.cluster.karmada.io *',
      'create clusters/proxy.cluster.karmada.io member1',
    ]);
    await expect(ask('POST', `${proxy}/member2/proxy/x`)).rejects.toMatchObject({
      code: 403,
      message:
        'clusters.cluster.karmada.io "member2" is forbidden: User "alice" cannot create resource "clusters/proxy" in API group "cluster.karmada.io" at the cluster scope',
      details: { name: 'member2', group: 'cluster.karmada.io', kind: 'clusters' },
    });
  });

  it('a right to the proxy is none to the Fleet API, and one verb is not another', async () => {
    const { ask } = authorizer([
      'get clusters/proxy.cluster.karmada.io *',
      'get clusterspaces.cluster.karmada.io member1',
    ]);
    await expect(ask('GET', '/clusterspaces/member1/api/v1/pods')).rejects.toMatchObject({ code: 403 });
    expect(await ask('GET', '/clusterspaces/member1/api/v1/namespaces/d/pods/x')).toEqual({
      at: 'one',
      cluster: 'member1',
    });
  });

  it('a suffixed name needs the right to its cluster', async () => {
    const { ask } = authorizer(['get clusterspaces.cluster.karmada.io member1']);
    expect(await ask('GET', '/api/v1/namespaces/d/pods/x.clusterspace.member1')).toEqual({
      at: 'one',
      cluster: 'member1',
    });
    await expect(ask('GET', '/api/v1/namespaces/d/pods/x.clusterspace.member2')).rejects.toMatchObject({ code: 403 });
  });

  it('karmada needs no such right: the control plane decides for itself', async () => {
    const { ask, asked } = authorizer([]);
    for (const url of ['/clusterspaces/karmada/api/v1/pods', '/apis/cluster.karmada.io/v1alpha1/clusters']) {
      expect(await ask('GET', url)).toEqual({ at: 'one', cluster: 'karmada' });
    }
    expect(asked).toEqual([]);
  });

  it('AUTHZ-1: the product’s own paths are non-resource URLs', async () => {
    const { ask, asked } = authorizer(['get /version']);
    expect(await ask('GET', '/version')).toEqual({ at: 'here' });
    await expect(ask('GET', '/metrics')).rejects.toMatchObject({
      code: 403,
      message: 'forbidden: User "alice" cannot get path "/metrics"',
    });
    expect(asked).toEqual(['get /version', 'get /metrics']);
  });
});
