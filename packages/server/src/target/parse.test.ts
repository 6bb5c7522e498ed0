import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { parseTarget } from './parse.ts';
import { wireUrl } from './target.ts';

const proxy = '/apis/cluster.karmada.io/v1alpha1/clusters';

const at = (method: string, url: string) => {
  const { place, view, wire, permission, ask } = parseTarget(method, url);
  return { place, names: view.names, url: wireUrl(wire), permission, ask };
};

const refusal = (method: string, url: string): StatusError => {
  try {
    parseTarget(method, url);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error(`${url} was not refused`);
};

const members = { at: 'many', clusters: {} };
const member1 = { at: 'one', cluster: 'member1' };
const controlPlane = { at: 'one', cluster: 'karmada' };

describe('URL-1: the vanilla family', () => {
  it.each([
    ['GET', '/api/v1/pods', members, 'name-suffixed'],
    ['GET', '/apis/apps/v1/namespaces/default/deployments?labelSelector=a%3Db', members, 'name-suffixed'],
    ['GET', '/api/v1/namespaces', members, 'name-suffixed'],
    ['GET', '/api/v1/pods?watch=true', members, 'name-suffixed'],
    ['POST', '/api/v1/namespaces/default/pods', { at: 'in-body' }, 'plain'],
    ['GET', '/api/v1/namespaces/default/pods/x', { at: 'found' }, 'plain'],
    ['POST', '/api/v1/namespaces/default/pods/x/exec?command=ls', { at: 'found' }, 'plain'],
    ['GET', '/apis/cluster.karmada.io/v1alpha1/clusters', controlPlane, 'plain'],
    ['POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', controlPlane, 'plain'],
    ['GET', '/openapi/v3/apis/apps/v1?hash=A', { at: 'here' }, 'plain'],
  ] as const)('%s %s', (method, url, place, names) => {
    expect(at(method, url)).toMatchObject({ place, names, url });
  });

  it.each(['/', '/api', '/apis', '/apis/apps/v1', '/healthz', '/livez', '/readyz', '/metrics', '/version'])(
    'URL-10: %s is answered by the product',
    (url) => {
      expect(at('GET', url)).toMatchObject({ place: { at: 'here' }, ask: { is: 'path', path: url } });
    },
  );

  it('AUTHZ-2: needs clusterspaces with the inner verb', () => {
    expect(at('GET', '/api/v1/pods').permission).toEqual({ resource: 'clusterspaces', verb: 'list' });
    expect(at('GET', '/api/v1/pods?watch=1').permission.verb).toBe('watch');
    expect(at('POST', '/api/v1/namespaces/d/pods/x.clusterspace.m/exec').permission.verb).toBe('create');
  });
});

describe('NAME-1: a suffixed name goes to its cluster under its own name', () => {
  it.each([
    ['/api/v1/namespaces/default/pods/x.clusterspace.member1', '/api/v1/namespaces/default/pods/x', 'x'],
    ['/api/v1/nodes/ip-10.0.clusterspace.member1', '/api/v1/nodes/ip-10.0', 'ip-10.0'],
    [
      '/api/v1/namespaces/d/pods/a.clusterspace.b.clusterspace.member1/log?follow=true',
      '/api/v1/namespaces/d/pods/a.clusterspace.b/log?follow=true',
      'a.clusterspace.b',
    ],
    ['/api/v1/namespaces/d/pods/x%2Eclusterspace%2Emember1', '/api/v1/namespaces/d/pods/x', 'x'],
    ['/api/v1/namespaces/default.clusterspace.member1', '/api/v1/namespaces/default', 'default'],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node.clusterspace.member1',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node',
      'system:node',
    ],
  ])('%s', (url, wire, name) => {
    expect(at('GET', url)).toMatchObject({ place: member1, names: 'name-suffixed', url: wire, ask: { name } });
  });

  it('length limits apply to the stripped name only', () => {
    const name = 'x'.repeat(253);
    expect(at('GET', `/api/v1/namespaces/d/pods/${name}.clusterspace.member1`).ask).toMatchObject({ name });
  });

  it.each(['x.clusterspace.', '.clusterspace.member1', 'x.clusterspace', 'clusterspace.member1'])(
    '%s has no suffix',
    (name) => {
      expect(at('GET', `/api/v1/namespaces/d/pods/${name}`).place).toEqual({ at: 'found' });
    },
  );

  it('NAME-5: karmada is a cluster to a name, which comes back as it was asked for', () => {
    expect(at('GET', '/api/v1/namespaces/d/configmaps/x.clusterspace.karmada')).toMatchObject({
      place: controlPlane,
      names: 'name-suffixed',
      url: '/api/v1/namespaces/d/configmaps/x',
    });
  });

  it('what follows a subresource is opaque, whatever it looks like', () => {
    const tail = 'proxy/a//b%2Fc/%zz/x.clusterspace.member2?q=%ff&clusterspaces=1';
    expect(at('GET', `/api/v1/namespaces/d/pods/x.clusterspace.member1/${tail}`)).toMatchObject({
      place: member1,
      url: `/api/v1/namespaces/d/pods/x/${tail}`,
    });
  });

  it('the old proxy names are taken apart: [scheme:]name[:port]', () => {
    for (const [name, plain] of [
      ['x.clusterspace.member1', 'x'],
      ['x.clusterspace.member1:80', 'x:80'],
      ['https:x.clusterspace.member1:443', 'https:x:443'],
      ['https:x.clusterspace.member1:', 'https:x:'],
    ]) {
      expect(at('GET', `/api/v1/namespaces/d/services/${name}/proxy/a`)).toMatchObject({
        place: member1,
        url: `/api/v1/namespaces/d/services/${plain}/proxy/a`,
      });
    }
  });
});

describe('NAME-2: a suffixed namespace', () => {
  const namespaced = { place: member1, names: 'namespace-suffixed' };

  it.each([
    ['GET', '/api/v1/namespaces/d.clusterspace.member1/pods', '/api/v1/namespaces/d/pods'],
    ['POST', '/apis/apps/v1/namespaces/d.clusterspace.member1/deployments', '/apis/apps/v1/namespaces/d/deployments'],
    ['GET', '/api/v1/watch/namespaces/d.clusterspace.member1/pods/x', '/api/v1/watch/namespaces/d/pods/x'],
    ['DELETE', '/api/v1/namespaces/d.clusterspace.member1/pods', '/api/v1/namespaces/d/pods'],
    ['GET', '/clusterspaces/member1/api/v1/namespaces/d.clusterspace.member1/pods', '/api/v1/namespaces/d/pods'],
    ['GET', '/clusterspaces/all/api/v1/namespaces/d.clusterspace.member1/pods/x', '/api/v1/namespaces/d/pods/x'],
  ])('%s %s', (method, url, wire) => {
    expect(at(method, url)).toMatchObject({ ...namespaced, url: wire, ask: { namespace: 'd' } });
  });

  it('a suffixed name beside it decides what comes back', () => {
    expect(at('GET', '/api/v1/namespaces/d.clusterspace.member1/pods/x.clusterspace.member1')).toMatchObject({
      place: member1,
      names: 'name-suffixed',
      url: '/api/v1/namespaces/d/pods/x',
    });
  });
});

describe('NAME-10, RV-1: clusters in field selectors', () => {
  const list = (selector: string, method = 'GET') =>
    at(method, `/api/v1/namespaces/d/pods?limit=5&fieldSelector=${encodeURIComponent(selector)}`);

  it('metadata.name with a suffix is one place, named', () => {
    for (const operator of ['=', '==']) {
      expect(list(`metadata.name${operator}x.clusterspace.member1`)).toMatchObject({
        place: member1,
        names: 'name-suffixed',
        url: `/api/v1/namespaces/d/pods?limit=5&fieldSelector=${encodeURIComponent(`metadata.name${operator}x`)}`,
        ask: { name: 'x' },
      });
    }
  });

  it('metadata.name without one is looked for', () => {
    expect(list('metadata.name=x')).toMatchObject({
      place: { at: 'found', otherwise: { names: 'name-suffixed' } },
      names: 'plain',
    });
  });

  it('any other narrows the merged view', () => {
    expect(list('involvedObject.name=x.clusterspace.member1,a!=b')).toMatchObject({
      place: { at: 'many', clusters: { only: ['member1'] } },
      names: 'name-suffixed',
      url: `/api/v1/namespaces/d/pods?limit=5&fieldSelector=${encodeURIComponent('involvedObject.name=x,a!=b')}`,
    });
  });

  it('all but one of one cluster cannot be asked for', () => {
    expect(() => list('metadata.name!=x.clusterspace.member1')).toThrow('only = and == can');
  });

  it('NAME-7: two clusters are 400', () => {
    expect(() => list('metadata.name=x.clusterspace.m1,spec.nodeName=n.clusterspace.m2')).toThrow(
      'two different clusters are named: "m1" by the selector',
    );
    expect(() =>
      at('GET', '/api/v1/pods?labelSelector=clusterspace=m2&fieldSelector=metadata.name=x.clusterspace.m1'),
    ).toThrow('excludes "m1"');
  });

  it('NAME-11: the label takes what is the control plane’s to the clusters it chooses', () => {
    const labelled = (method: string, selector: string) =>
      at(method, `${proxy}?labelSelector=${encodeURIComponent(selector)}`).place;
    expect(labelled('DELETE', 'clusterspace=member1')).toEqual(member1);
    expect(labelled('GET', 'clusterspace=member1')).toEqual({ at: 'many', clusters: { only: ['member1'] } });
    expect(labelled('GET', 'clusterspace!=karmada')).toEqual({ at: 'many', clusters: { except: ['karmada'] } });
    for (const selector of ['clusterspace=karmada', 'clusterspace!=member1', 'a=b']) {
      expect(labelled('DELETE', selector), selector).toEqual(controlPlane);
    }
  });

  it('URL-12: deletecollection needs one place, however it is named', () => {
    for (const url of [
      '/api/v1/namespaces/d/pods?clusterspace=member1',
      '/api/v1/namespaces/d.clusterspace.member1/pods',
      '/api/v1/namespaces/d/pods?labelSelector=clusterspace%3Dmember1',
      '/api/v1/namespaces/d/pods?fieldSelector=metadata.name%3Dx.clusterspace.member1',
    ]) {
      expect(at('DELETE', url).place, url).toEqual(member1);
    }
    for (const url of ['/api/v1/namespaces/d/pods', '/clusterspaces/all/api/v1/namespaces/d/pods']) {
      expect(refusal('DELETE', url)).toMatchObject({ code: 405, message: expect.stringContaining('name one cluster') });
    }
  });
});

describe('URL-5: the proxy to any member', () => {
  const any = (method: string, path: string, star = '*') => at(method, `${proxy}/${star}/proxy${path}`);

  it.each(['*', '%2A', '%2a'])('%s: lists go everywhere, named requests to the one that has it', (star) => {
    expect(any('GET', '/api/v1/pods?limit=5', star)).toMatchObject({
      place: members,
      names: 'plain',
      url: '/api/v1/pods?limit=5',
      permission: { resource: 'clusters/proxy', verb: 'get' },
    });
    expect(any('GET', '/api/v1/namespaces/d/pods/x/log', star).place).toEqual({ at: 'found' });
    expect(any('DELETE', '/api/v1/namespaces/d/pods/x', star)).toMatchObject({
      place: { at: 'found' },
      permission: { resource: 'clusters/proxy', verb: 'delete' },
    });
  });

  it('a suffixed name is understood, as its 409 proposes', () => {
    expect(any('GET', '/api/v1/namespaces/d/pods/x.clusterspace.member1')).toMatchObject({
      place: member1,
      names: 'name-suffixed',
    });
  });

  it('LIST-6: discovery is the members’ own', () => {
    for (const path of ['', '/', '/api', '/version']) {
      expect(parseTarget('GET', `${proxy}/*/proxy${path}`)).toMatchObject({ place: { at: 'here' }, about: 'members' });
    }
  });
});

describe('URL-2, URL-3: the Fleet API', () => {
  it.each([
    ['/api/v1/namespaces/default/clusterspaces/member1/pods/x/log', '/api/v1/namespaces/default/pods/x/log'],
    [
      '/apis/apps/v1/namespaces/default/clusterspaces/member1/deployments',
      '/apis/apps/v1/namespaces/default/deployments',
    ],
    ['/api/v1/clusterspaces/member1/nodes/n', '/api/v1/nodes/n'],
    ['/apis/apps/v1/clusterspaces/member1/deployments', '/apis/apps/v1/deployments'],
    ['/clusterspaces/member1/api/v1/pods?limit=5', '/api/v1/pods?limit=5'],
    ['/clusterspaces/member1', '/'],
    ['/clusterspaces/member1/version', '/version'],
    ['/api/v1/pods?limit=5&clusterspace=member1&x=%2f', '/api/v1/pods?limit=5&x=%2f'],
    ['/api/v1/pods?%63lusterspace=member1', '/api/v1/pods'],
    ['/api/v1/namespaces/d/clusterspaces/member1/pods?clusterspace=member1', '/api/v1/namespaces/d/pods'],
  ])('%s goes to member1 as %s, names plain', (url, wire) => {
    expect(at('GET', url)).toMatchObject({ place: member1, names: 'plain', url: wire });
  });

  it('karmada is the control plane, all is the merged view', () => {
    expect(at('GET', '/clusterspaces/karmada/api/v1/pods').place).toEqual(controlPlane);
    for (const url of [
      '/clusterspaces/all/api/v1/pods',
      '/api/v1/clusterspaces/all/pods',
      '/api/v1/pods?clusterspace=all',
    ]) {
      expect(at('GET', url)).toMatchObject({ place: members, names: 'name-suffixed', url: '/api/v1/pods' });
    }
  });

  it('DISC-4: one clusterspace has its own discovery', () => {
    expect(at('GET', '/clusterspaces/member1/apis')).toMatchObject({ place: member1, url: '/apis' });
    expect(at('GET', '/clusterspaces/member1/openapi/v3')).toMatchObject({ place: member1, url: '/openapi/v3' });
  });

  it('fleet-owned groups of one clusterspace are that cluster’s own', () => {
    const url = '/clusterspaces/member1/apis/policy.karmada.io/v1alpha1/propagationpolicies';
    expect(at('GET', url).place).toEqual(member1);
  });

  it.each(['/clusterspaces', '/clusterspaces/', '/api/v1/clusterspaces', '/api/v1/pods?clusterspace='])(
    '%s names no cluster: 400',
    (url) => {
      expect(refusal('GET', url).code).toBe(400);
    },
  );

  it.each([
    ['/clusterspaces/member1/api/v1/namespaces/d/pods/x.clusterspace.member2', 'member1', 'member2'],
    ['/api/v1/clusterspaces/member1/pods?clusterspace=member2', 'member1', 'member2'],
    ['/api/v1/namespaces/d/pods/x.clusterspace.member2?clusterspace=member1', 'member1', 'member2'],
    ['/api/v1/pods?clusterspace=member1&clusterspace=member2', 'member1', 'member2'],
    ['/clusterspaces/member1/api/v1/namespaces/d/clusterspaces/member2/pods', 'member1', 'member2'],
  ])('NAME-7: %s is 400 and names both', (url, one, other) => {
    const error = refusal('GET', url);
    expect(error.code).toBe(400);
    expect(error.message).toContain(`"${one}"`);
    expect(error.message).toContain(`"${other}"`);
  });

  it('the same cluster named twice is no contradiction', () => {
    const url = '/clusterspaces/member1/api/v1/namespaces/d/pods/x.clusterspace.member1';
    expect(at('GET', url)).toMatchObject({
      place: member1,
      names: 'name-suffixed',
      url: '/api/v1/namespaces/d/pods/x',
    });
  });
});

describe('ERR-4: a method that needs a name', () => {
  it.each(['PUT', 'PATCH', 'TRACE'])('%s without one is 405, and nobody is asked', (method) => {
    expect(() => at(method, '/api/v1/namespaces/d/pods')).toThrow(expect.objectContaining({ code: 405 }));
    expect(at(method, '/api/v1/namespaces/d/pods/x').place).toEqual({ at: 'found' });
  });
});

describe('URL-4: the cluster proxy', () => {
  it('forwards tail and query byte for byte', () => {
    const tail =
      '/api/v1/namespaces/d/services/https:web:443/proxy/a%2Fb//c/%zz;x=1/?q=1&q=%20+&clusterspace=x&partial=maybe&%ff';
    expect(at('POST', `${proxy}/member1/proxy${tail}`)).toMatchObject({
      place: member1,
      names: 'plain',
      url: tail,
      permission: { resource: 'clusters/proxy', verb: 'create' },
    });
  });

  it('without a tail it is the root', () => {
    expect(at('GET', `${proxy}/member1/proxy`).url).toBe('/');
    expect(at('GET', `${proxy}/member1/proxy/`).url).toBe('/');
    expect(at('GET', `${proxy}/member1/proxy?a=b`).url).toBe('/?a=b');
  });

  it.each([`${proxy}/member1/proxy`, '/clusters/member1'])(
    'KS-4: a query that is empty stays a query: %s',
    (prefix) => {
      expect(at('GET', `${prefix}/version?`).url).toBe('/version?');
      expect(at('GET', `${prefix}?`).url).toBe('/?');
      expect(at('GET', `${prefix}/version`).url).toBe('/version');
    },
  );

  it('AUTHZ-2: the right’s verb is that of the outer URL', () => {
    const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map(
      (method) => at(method, `${proxy}/member1/proxy/api/v1/pods?watch=true`).permission.verb,
    );
    expect(verbs).toEqual(['get', 'get', 'create', 'update', 'patch', 'delete']);
  });

  it('the Cluster object itself is the control plane’s', () => {
    expect(at('GET', `${proxy}/member1`).place).toEqual(controlPlane);
    expect(at('GET', `${proxy}/member1/status`).place).toEqual(controlPlane);
  });
});

describe('NAME-2: a namespace within another, which Kubernetes does not have', () => {
  it.each([
    ['DELETE', 'namespaces/a.clusterspace.m1/namespaces', 'namespaces/a/namespaces'],
    ['GET', 'namespaces/a.clusterspace.m1/namespaces/b', 'namespaces/a/namespaces/b'],
    ['PUT', 'namespaces/a.clusterspace.m1/namespaces/b/status', 'namespaces/a/namespaces/b/status'],
    ['GET', 'watch/namespaces/a.clusterspace.m1/namespaces/b', 'watch/namespaces/a/namespaces/b'],
    ['GET', 'namespaces/a.clusterspace.m1/namespaces/b.clusterspace.m1', 'namespaces/a/namespaces/b'],
    ['PUT', 'namespaces/a.clusterspace.m1/status', 'namespaces/a/status'],
  ])('%s %s is of the cluster that it names', (method, path, sent) => {
    const { place, wire } = parseTarget(method, `/api/v1/${path}`);
    expect(place).toEqual({ at: 'one', cluster: 'm1' });
    expect(wire.path).toBe(`/api/v1/${sent}`);
  });
});
