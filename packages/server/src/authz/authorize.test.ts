import { unavailable } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import type { Registrations } from '../target/registered.ts';
import { completed, targetOf } from '../testing/targets.ts';
import type { AccessReviewer } from './access-review.ts';
import { createAuthorizer } from './authorize.ts';

const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'other' };
const proxy = '/apis/cluster.karmada.io/v1alpha1/clusters';

/** Grants by `verb resource[/sub] name` or `verb path`. */
function authorizer(grants: readonly string[], members: readonly string[] = ['member1', 'member2', 'member3']) {
  const asked: string[] = [];
  const reviews: AccessReviewer = {
    async isAllowed(_, attributes) {
      const question =
        'path' in attributes
          ? `${attributes.path.verb} ${attributes.path.path}`
          : `${attributes.resource.verb} ${attributes.resource.resource}${attributes.resource.subresource ? `/${attributes.resource.subresource}` : ''}.${attributes.resource.group} ${attributes.resource.name}`;
      asked.push(question);
      return grants.includes(question);
    },
  };
  const { authorize } = createAuthorizer(reviews, () => members);
  const granted = (method: string, url: string) => authorize(alice, targetOf(method, url));
  const ask = async (method: string, url: string) => (await granted(method, url)).place;
  return { ask, asked, granted };
}

describe('KS-1: KubeSphere’s form of Clusters', () => {
  const face = '/apis/cluster.kubesphere.io/v1alpha1/clusters';

  it.each([
    ['GET', `${face}/x`, 'get clusters.cluster.kubesphere.io x'],
    ['GET', face, 'list clusters.cluster.kubesphere.io undefined'],
    ['GET', `${face}?watch=true`, 'watch clusters.cluster.kubesphere.io undefined'],
    ['DELETE', `/clusters/host${face}/x`, 'delete clusters.cluster.kubesphere.io x'],
    ['GET', `/clusterspaces/karmada${face}/x`, 'get clusters.cluster.kubesphere.io x'],
    ['POST', '/kapis/a', 'post /kapis/a'],
    ['GET', '/kapis/clusters/host/a', 'get /kapis/a'],
  ])('%s %s needs just that: %s', async (method, url, permission) => {
    const { ask, asked } = authorizer([permission]);
    expect(await ask(method, url)).toEqual({ at: 'one', cluster: 'karmada' });
    expect(asked).toEqual([permission]);
    await expect(authorizer([]).ask(method, url)).rejects.toMatchObject({ code: 403 });
  });

  it.each([
    `/clusters/host/${face}/x`,
    `/clusters/host${face}/a%2Fb`,
    `/clusters/host${face.replace('/v1', '//v1')}/x`,
  ])('URL-8: %s is no path of it, whatever is granted', async (url) => {
    const all = ['get clusters.cluster.kubesphere.io x', 'get clusters/b.cluster.kubesphere.io a'];
    await expect(authorizer(all).ask('GET', url)).rejects.toMatchObject({ code: 404 });
  });
});

describe('AUTHZ-2: the aggregation family', () => {
  const root = '/apis/search.karmada.io/v1alpha1/proxying';
  const permission = (verb: string, name: string) => `${verb} proxying/proxy.search.karmada.io ${name}`;

  /** Pods are registered in member1 and member3, there in namespace `a` only. */
  const registered = (grants: readonly string[], narrowing = { text: '' }) => {
    const asked: string[] = [];
    const reviews: AccessReviewer = {
      async isAllowed(_, attributes) {
        const question =
          'path' in attributes
            ? `${attributes.path.verb} ${attributes.path.path}`
            : `${attributes.resource.verb} ${attributes.resource.resource}/${attributes.resource.subresource}.${attributes.resource.group} ${attributes.resource.name}`;
        asked.push(question);
        return grants.includes(question);
      },
    };
    const registrations: Registrations = {
      isRegistered: ({ resource }) => resource === 'pods',
      versionsOf: ({ resource }) => (resource === 'pods' ? ['v1'] : []),
      clustersOf: ({ namespace = 'a' }) => new Set(namespace === 'a' ? ['member1', 'member3'] : ['member1']),
      namespacesOf: (cluster) => (cluster === 'member3' ? new Set(['a']) : undefined),
      narrowing: () => narrowing.text,
    };
    const members = ['member1', 'member2', 'member3'];
    const { authorize } = createAuthorizer(reviews, () => members, new Set(), registrations);
    const granted = (method: string, url: string) =>
      authorize(
        alice,
        completed(method, `${root}${url}`, undefined, () => true, registrations),
      );
    return { granted, ask: async (method: string, url: string) => (await granted(method, url)).place, asked };
  };

  it('needs one right, by the outer verb and whatever name stands there; then members that are registered are left', async () => {
    const { ask, asked } = registered([permission('get', 'karmada'), permission('get', 'me')]);
    expect(await ask('GET', '/api/v1/pods')).toEqual({ at: 'many', clusters: ['member1', 'member3'] });
    expect(await ask('GET', '/me/proxy/api/v1/namespaces/b/pods')).toEqual({ at: 'many', clusters: ['member1'] });
    expect(await ask('GET', '/me/proxy/api/v1/namespaces/b/pods/x')).toEqual({ at: 'found', clusters: ['member1'] });
    expect(new Set(asked)).toEqual(new Set([permission('get', 'karmada'), permission('get', 'me')]));
    await expect(ask('GET', '/you/proxy/api/v1/pods')).rejects.toMatchObject({
      code: 403,
      message:
        'proxying.search.karmada.io "you" is forbidden: User "alice" cannot get resource "proxying/proxy" in API group "search.karmada.io" at the cluster scope',
      details: { group: 'search.karmada.io', kind: 'proxying', name: 'you' },
    });
    await expect(ask('DELETE', '/api/v1/namespaces/a/pods/x')).rejects.toMatchObject({ code: 403 });
  });

  it('also for what the control plane itself answers, and for discovery', async () => {
    for (const url of ['/api/v1/secrets', '/karmada/proxy/version', '/api']) {
      await expect(registered(['get /api']).ask('GET', url)).rejects.toMatchObject({ code: 403 });
    }
    const { ask } = registered([permission('get', 'karmada'), 'get /api']);
    expect(await ask('GET', '/api/v1/secrets')).toEqual({ at: 'one', cluster: 'karmada' });
    expect(await ask('GET', '/api')).toEqual({ at: 'here' });
    await expect(ask('GET', '/apis')).rejects.toMatchObject({ code: 403, message: expect.stringContaining('"/apis"') });
  });

  it('exec by GET needs get and create, in members and in the control plane', async () => {
    for (const url of ['/api/v1/namespaces/a/pods/x/exec', '/apis/v.io/v1/namespaces/a/vms/x/exec']) {
      await expect(registered([permission('get', 'karmada')]).ask('GET', url)).rejects.toMatchObject({
        code: 403,
        message: expect.stringContaining('cannot create resource'),
      });
      const both = registered([permission('get', 'karmada'), permission('create', 'karmada')]);
      expect(await both.ask('GET', url)).toMatchObject({ at: expect.stringMatching(/found|one/) });
    }
  });

  it('CACHE-7: what is registered is all there is, also by a suffixed name', async () => {
    const { ask } = registered([permission('get', 'karmada')]);
    const one = (name: string, namespace = 'a') =>
      ask('GET', `/api/v1/namespaces/${namespace}/pods/x.clusterspace.${name}`);
    expect(await one('member3')).toEqual({ at: 'one', cluster: 'member3' });
    await expect(one('member2')).rejects.toMatchObject({ code: 404, message: 'pods "x" not found' });
    await expect(one('member3', 'b')).rejects.toMatchObject({ code: 404 });
    await expect(ask('GET', '/api/v1/namespaces/b.clusterspace.member3/pods')).rejects.toMatchObject({
      code: 404,
      message: 'pods of cluster "member3" are not registered',
    });
    // An unknown cluster is reported later (NAME-8).
    expect(await one('nowhere')).toEqual({ at: 'one', cluster: 'nowhere' });
  });

  it('an open watch loses its clusters when the right is revoked, or other namespaces are registered', async () => {
    const grants = [permission('get', 'karmada')];
    const narrowing = { text: 'a' };
    const { granted } = registered(grants, narrowing);
    const watch = await granted('GET', '/api/v1/pods?watch=true');
    expect(await watch.clustersNow()).toEqual(['member1', 'member3']);
    narrowing.text = 'b';
    expect(await watch.clustersNow()).toEqual([]);
    const next = await granted('GET', '/api/v1/pods?watch=true');
    expect(next.scope).not.toBe(watch.scope);
    expect(await next.clustersNow()).toEqual(['member1', 'member3']);
    grants.pop();
    expect(await next.clustersNow()).toEqual([]);
  });
});

describe('AUTHZ-2: reaching members needs a permission in the control plane', () => {
  it('the permission for * is reviewed first, and then no other', async () => {
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

  it('ERR-3: a list without permission for any member is 403', async () => {
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

  it('a permission for the proxy is none for the Fleet API, and one verb is not another', async () => {
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

  it('a suffixed name needs the permission for its cluster', async () => {
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

  it('SEC-3: thousands of clusters that a selector names are one question more, not thousands', async () => {
    const names = Array.from({ length: 15_000 }, (_, at) => `c${at}`);
    const url = `/api/v1/pods?labelSelector=clusterspace+in+(member2,${names.join()},member2)`;
    const { ask, asked } = authorizer(['list clusterspaces.cluster.karmada.io member2']);
    expect(await ask('GET', url)).toEqual({ at: 'many', clusters: ['member2'] });
    expect(asked).toEqual(['*', 'c0', 'member2'].map((name) => `list clusterspaces.cluster.karmada.io ${name}`));
  });

  it('a cluster that does not exist stays, for users who are allowed to reach any: the answer is that there is none', async () => {
    const { ask } = authorizer(['list clusterspaces.cluster.karmada.io *']);
    const url = '/api/v1/pods?labelSelector=clusterspace+in+(member1,nowhere,abroad)';
    expect(await ask('GET', url)).toEqual({ at: 'many', clusters: ['abroad', 'member1'] });
  });

  it('what is granted has one place: the one that was asked for stays behind, and can only be asked again', async () => {
    const grants = ['list clusterspaces.cluster.karmada.io member1'];
    const { granted } = authorizer(grants);
    const { target, place, clustersNow } = await granted('GET', '/api/v1/pods');
    expect(target).not.toHaveProperty('place');
    expect(target).not.toHaveProperty('permission');
    expect(place).toEqual({ at: 'many', clusters: ['member1'] });
    grants.push('list clusterspaces.cluster.karmada.io member3');
    expect(await clustersNow()).toEqual(['member1', 'member3']);
    grants.length = 0;
    expect(await clustersNow()).toEqual([]);
  });
});

describe('SEC-6: open paths', () => {
  const silent: AccessReviewer = { isAllowed: () => Promise.reject(unavailable('away')) };
  const { authorize } = createAuthorizer(silent, () => [], new Set(['/livez', '/readyz']));

  it.each(['/livez', '/readyz', '/livez?verbose', '/livez/'])(
    '%s is nothing to ask the control plane about',
    async (url) => {
      expect((await authorize(alice, targetOf('GET', url))).place).toEqual({ at: 'here' });
    },
  );

  it.each(['/livez/ping', '/livezz', '/metrics', '/healthz', '/'])('%s is', async (url) => {
    await expect(authorize(alice, targetOf('GET', url))).rejects.toMatchObject({ code: 503 });
  });
});

describe('AUTHZ-2: exec, attach and port-forward by GET need get and create', () => {
  const dispatch = '/clusters/member1';
  const exec = '/api/v1/namespaces/d/pods/x/exec';

  it.each([
    ['clusterspaces', `/clusterspaces/member1${exec}?command=id`],
    ['clusterspaces', '/clusterspaces/member1/api/v1/namespaces/d/pods/x/attach'],
    ['clusterspaces', '/clusterspaces/member1/api/v1/namespaces/d/pods/x/portforward'],
    ['clusterspaces', '/clusterspaces/member1/api/v1/namespaces/d/pods/x/exec/'],
    ['clusterspaces', '/clusterspaces/member1/api/v1/namespaces/d/pods/x/%65xec'],
    ['clusterspaces', '/api/v1/namespaces/d/pods/x.clusterspace.member1/exec'],
    ['clusterspaces', '/api/v1/namespaces/d.clusterspace.member1/pods/x/portforward'],
    ['clusterspaces', `${exec}?clusterspace=member1`],
    ['clusterspaces', '/clusterspaces/member1/api/v1/nodes/n/proxy/exec/d/x/c'],
    ['clusterspaces', '/clusterspaces/member1/api/v1/nodes/n/proxy/a%2FportForward/d/x'],
    [
      'clusterspaces',
      '/clusterspaces/member1/apis/subresources.kubevirt.io/v1/namespaces/d/virtualmachineinstances/x/console',
    ],
    // Invalid UTF-8 hides nothing: Go decodes the bytes beside it.
    ['clusterspaces', '/clusterspaces/member1/api/v1/nodes/n/proxy/exec%2fd%2fx%2f%ff/c'],
    ['clusters/proxy', `${dispatch}/api%2fv1%2fnodes%2fn%2fproxy%2fexec%2fd%2fx%2f%ff%2fc`],
    ['clusters/proxy', `${proxy}/member1/proxy${exec}`],
    ['clusters/proxy', `${proxy}/member1/proxy/api/v1/namespaces/d/pods/x%2Fexec`],
    ['clusters/proxy', `${proxy}/member1/proxy//api/v1/namespaces/d/pods/x/exec`],
    ['clusters/proxy', `${proxy}/member1/proxy/api/v1//namespaces/d/pods/x/%61ttach/`],
    ['clusters/proxy', `${proxy}/member1/proxy/apis/cluster.karmada.io/v1alpha1/clusters/m/proxy${exec}`],
    ['clusters/proxy', `${proxy}/*/proxy/api/v1/namespaces/d.clusterspace.member1/pods/x/exec`],
    ['clusters/proxy', `${dispatch}${exec}`],
    ['clusters/proxy', '/api/clusters/member1/v1/namespaces/d/pods/x/attach'],
    ['clusters/proxy', '/kapis/clusters/member1/terminal.kubesphere.io/v1alpha2/namespaces/d/pods/x/%65xec'],
  ])('%s: %s', async (resource, url) => {
    const permission = (verb: string, name = 'member1') => `${verb} ${resource}.cluster.karmada.io ${name}`;
    await expect(authorizer([permission('get')]).ask('GET', url)).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining('User "alice" cannot create resource'),
    });
    await expect(authorizer([permission('create')]).ask('GET', url)).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining('User "alice" cannot get resource'),
    });
    const one = { at: 'one', cluster: 'member1' };
    expect(await authorizer([permission('get'), permission('create')]).ask('GET', url)).toEqual(one);
    expect(await authorizer([permission('get', '*'), permission('create')]).ask('GET', url)).toEqual(one);
    expect(await authorizer([permission('create')]).ask('POST', url)).toEqual(one);
  });

  it('in the place that has a pod of that name, wherever both are granted', async () => {
    for (const [resource, url] of [
      ['clusterspaces', exec],
      ['clusters/proxy', `${proxy}/*/proxy${exec}`],
    ]) {
      const permission = (verb: string, name: string) => `${verb} ${resource}.cluster.karmada.io ${name}`;
      const grants = [permission('get', '*'), permission('create', 'member2')];
      expect(await authorizer(grants).ask('GET', url!)).toEqual({ at: 'found', clusters: ['member2'] });
      await expect(authorizer([permission('get', '*')]).ask('GET', url!)).rejects.toBeDefined();
    }
  });

  it.each([
    '/clusterspaces/member1/api/v1/namespaces/d/pods/exec',
    '/clusterspaces/member1/api/v1/namespaces/exec/pods/x/log',
    '/clusterspaces/member1/api/v1/namespaces/d/services/x/proxy/exec',
    '/clusterspaces/member1/api/v1/namespaces/d/pods/x/proxy/exec',
    '/clusterspaces/member1/api/v1/nodes/n/proxy/metrics',
  ])('others are reads: %s', async (url) => {
    const { ask } = authorizer(['get clusterspaces.cluster.karmada.io member1']);
    expect(await ask('GET', url)).toEqual({ at: 'one', cluster: 'member1' });
  });
});
