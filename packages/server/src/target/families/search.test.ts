import { describe, expect, it } from 'vitest';
import { parseTarget } from '../parse.ts';
import { nothingRegistered, type Registrations } from '../registered.ts';

const root = '/apis/search.karmada.io/v1alpha1/search/cache';
const registrations: Registrations = { ...nothingRegistered, isRegistered: ({ resource }) => resource !== 'secrets' };
const parse = (method: string, path: string) => parseTarget(method, `${root}${path}`, registrations);

describe('CACHE-15: the search endpoint', () => {
  it('lists from the cache, with a permission of its own', () => {
    expect(parse('GET', '/apis/apps/v1/namespaces/d/deployments?labelSelector=a%3Db&partial=true')).toEqual({
      ask: expect.objectContaining({ verb: 'list', group: 'apps', resource: 'deployments', namespace: 'd' }),
      place: { at: 'many', clusters: {} },
      view: { names: 'plain', annotated: 'resource.karmada.io/cached-from-cluster', versions: 'maps' },
      permission: { resource: 'search', name: 'cache', verb: 'get' },
      wire: { method: 'GET', path: '/apis/apps/v1/namespaces/d/deployments', query: 'labelSelector=a%3Db' },
      requestOptions: { partial: true },
      registered: true,
      cacheOnly: true,
    });
  });

  it.each([
    ['/api/v1/namespaces/d/pods/x', '/api/v1/namespaces/d/pods', 'metadata.name=x', {}],
    ['/api/v1/namespaces/d/pods/x/', '/api/v1/namespaces/d/pods', 'metadata.name=x', {}],
    ['/api/v1/nodes/x?fieldSelector=a%3Db', '/api/v1/nodes', 'metadata.name=x,a=b', {}],
    ['/api/v1/namespaces/x', '/api/v1/namespaces', 'metadata.name=x', {}],
    ['/api/v1/nodes/x.clusterspace.m1', '/api/v1/nodes', 'metadata.name=x', { only: ['m1'] }],
    ['/api/v1/nodes?labelSelector=clusterspace%3Dm1', '/api/v1/nodes', null, { only: ['m1'] }],
    ['/api/v1/namespaces/d.clusterspace.m1/pods', '/api/v1/namespaces/d/pods', null, { only: ['m1'] }],
  ])('%s is a list', (url, path, fieldSelector, clusters) => {
    const { ask, wire, place } = parse('GET', url);
    expect(ask).toMatchObject({ verb: 'list' });
    expect({ path: wire.path, fieldSelector: new URLSearchParams(wire.query).get('fieldSelector'), place }).toEqual({
      path,
      fieldSelector,
      place: { at: 'many', clusters },
    });
  });

  it('a kind that is not registered is a list all the same: nobody has any', () => {
    expect(parse('GET', '/api/v1/secrets')).toMatchObject({
      ask: { verb: 'list', resource: 'secrets' },
      registered: true,
      cacheOnly: true,
    });
  });

  it.each([
    ['POST', '/api/v1/namespaces/d/pods', 405],
    ['DELETE', '/api/v1/namespaces/d/pods/x', 405],
    ['HEAD', '/api/v1/pods', 405],
    ['GET', '/api/v1/pods?watch=true', 405],
    ['GET', '/api/v1/watch/pods', 405],
    ['GET', '/api/v1/namespaces/d/pods/x/log', 404],
    ['GET', '/api/v1', 404],
    ['GET', '/', 404],
    ['GET', '/api/v1/pods?consistent=true', 400],
    ['GET', '/api/v1/nodes/x.clusterspace.m1?fieldSelector=metadata.name%3Dx.clusterspace.m2', 400],
  ])('%s %s is %i', (method, url, code) => {
    expect(() => parse(method, url)).toThrow(expect.objectContaining({ code }));
  });
});
