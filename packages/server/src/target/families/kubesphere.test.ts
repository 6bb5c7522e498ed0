import { describe, expect, it } from 'vitest';
import { parseTarget } from '../parse.ts';

const wire = (url: string, method = 'GET') => {
  const target = parseTarget(method, url);
  return { place: target.place, path: target.wire.path, query: target.wire.query, permission: target.permission };
};

const permission = { resource: 'clusters/proxy', verb: 'get' };

describe('URL-7: KubeSphere dispatch', () => {
  it.each([
    ['/api/clusters/gondor/v1/pods', '/api/v1/pods'],
    ['/apis/clusters/gondor/apps/v1/deployments', '/apis/apps/v1/deployments'],
    ['/kapis/clusters/gondor/resources.kubesphere.io/v1alpha3/pods', '/kapis/resources.kubesphere.io/v1alpha3/pods'],
    ['/clusters/gondor/api/v1/pods', '/api/v1/pods'],
    ['/clusters/gondor/version', '/version'],
    ['/clusters/gondor/api', '/api'],
    ['/clusters/gondor/', '/'],
    ['/clusters/gondor', '/'],
    ['/api/clusters/gondor', '/api'],
  ])('%s goes to gondor as %s', (url, path) => {
    expect(wire(url)).toEqual({ place: { at: 'one', cluster: 'gondor' }, path, query: '', permission });
  });

  it('KS-4: only the first /clusters/{c} is taken out', () => {
    expect(wire('/clusters/gondor/clusters/mordor/api').path).toBe('/clusters/mordor/api');
    expect(wire('/apis/clusters/gondor/cluster.karmada.io/v1alpha1/clusters/x').path).toBe(
      '/apis/cluster.karmada.io/v1alpha1/clusters/x',
    );
  });

  it('KS-4: path and query are forwarded byte for byte: order, repeated keys, encodings', () => {
    const { path, query } = wire(
      '/apis/clusters/gondor/a%2Db//v1/x%20y/%F0%9F%8D%BA?b=2&a=1&a=%31&partial=x&clusterspace=y&&=',
    );
    expect(path).toBe('/apis/a%2Db//v1/x%20y/%F0%9F%8D%BA');
    expect(query).toBe('b=2&a=1&a=%31&partial=x&clusterspace=y&&=');
  });

  it.each([
    '/apis/cluster.kubesphere.io/clusters/x',
    '/clusterspaces/karmada/apis/cluster.kubesphere.io/clusters/x',
    '/clusterspaces/all/apis/cluster.kubesphere.io/clusters/x',
    '/clusters/host/apis/cluster.kubesphere.io/clusters/x',
    '/apis/clusters/host/cluster.kubesphere.io/clusters/x',
  ])('KS-1: %s is the path of the document, without a version', (url) => {
    const { path, place } = wire(url);
    expect([path, place]).toEqual([
      '/apis/cluster.kubesphere.io/v1alpha1/clusters/x',
      { at: 'one', cluster: 'karmada' },
    ]);
  });

  it('KS-1: in a member it is the member’s', () => {
    for (const url of [
      '/clusters/m1/apis/cluster.kubesphere.io/clusters',
      '/clusterspaces/m1/apis/cluster.kubesphere.io/clusters',
    ])
      expect(wire(url).path).toBe('/apis/cluster.kubesphere.io/clusters');
  });

  it('KS-3: /kapis without a cluster is the host’s', () => {
    const { path, place } = wire('/kapis/a.kubesphere.io/v1/x%20y');
    expect([path, place]).toEqual(['/kapis/a.kubesphere.io/v1/x%20y', { at: 'one', cluster: 'karmada' }]);
  });

  it('`host` means the control plane', () => {
    expect(wire('/clusters/host/api/v1/secrets').place).toEqual({ at: 'one', cluster: 'karmada' });
  });

  it('NAME-8: the control plane is no cluster of the proxy and dispatch families by its clusterspace name', () => {
    for (const url of ['/clusters/karmada/api', '/apis/cluster.karmada.io/v1alpha1/clusters/karmada/proxy/api']) {
      expect(() => wire(url), url).toThrow('clusters.cluster.karmada.io "karmada" not found');
    }
  });

  it('URL-8: dot segments, encoded or not, lead nowhere', () => {
    for (const tail of ['../mordor/api', '%2e%2e/mordor/api', '%2E%2e%2fmordor', './api', 'api/..%5c..']) {
      expect(() => wire(`/clusters/gondor/${tail}`), tail).toThrow('dot segment');
    }
    expect(() => wire('/clusters/%2e%2e/api')).toThrow('dot segment');
    expect(() => wire('/clusters/a%2Fb/api')).toThrow('encoded slash');
  });

  it('AUTHZ-2: the right is that of the outer method', () => {
    expect(wire('/clusters/gondor/api/v1/namespaces/d/pods/x/exec', 'POST').permission.verb).toBe('create');
  });
});
