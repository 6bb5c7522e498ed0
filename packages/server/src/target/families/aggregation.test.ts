import { describe, expect, it } from 'vitest';
import { readTargetBody } from '../body-reading.ts';
import { completeTarget } from '../complete.ts';
import { parseTarget } from '../parse.ts';
import { nothingRegistered, type Registrations } from '../registered.ts';

const root = '/apis/search.karmada.io/v1alpha1/proxying';
const long = `${root}/karmada/proxy`;

const registrations: Registrations = {
  ...nothingRegistered,
  isRegistered: ({ group, version, resource }) => `${group}/${version}/${resource}` === '/v1/pods',
};
const parse = (method: string, url: string) => parseTarget(method, url, registrations);
const view = { names: 'plain', annotated: 'resource.karmada.io/cached-from-cluster', versions: 'maps' };
const permission = { resource: 'proxying/proxy', verb: 'get', name: 'karmada' };

describe('URL-6: what is registered comes from members', () => {
  it.each([`${long}/api/v1/pods`, `${root}/api/v1/pods`])('%s is a list over those that have it', (url) => {
    expect(parse('GET', url)).toEqual({
      ask: expect.objectContaining({ verb: 'list', resource: 'pods' }),
      place: { at: 'many', clusters: {} },
      view,
      permission,
      wire: { method: 'GET', path: '/api/v1/pods', query: '' },
      requestOptions: { partial: undefined },
      registered: true,
    });
  });

  it('the right is to whatever stands in the place of the name (AUTHZ-2)', () => {
    expect(parse('GET', `${root}/any%20thing/proxy/api/v1/pods`).permission).toEqual({
      ...permission,
      name: 'any thing',
    });
    expect(parse('POST', `${long}/api/v1/namespaces/d/pods`).permission).toEqual({ ...permission, verb: 'create' });
    expect(parse('DELETE', `${root}/apis/apps/v1/namespaces/d/deployments/x`).permission).toEqual({
      ...permission,
      verb: 'delete',
    });
  });

  it.each(['exec', 'attach', 'portforward'])('%s by GET needs create, too', (stream) => {
    expect(parse('GET', `${long}/api/v1/namespaces/d/pods/x/${stream}`).permission).toEqual({
      ...permission,
      also: 'create',
    });
  });

  it.each([
    ['GET', '/api/v1/namespaces/d/pods/x'],
    ['PATCH', '/api/v1/namespaces/d/pods/x'],
    ['GET', '/api/v1/namespaces/d/pods/x/log'],
    ['POST', '/api/v1/namespaces/d/pods/x/eviction'],
  ])('CACHE-8: %s %s goes to the member that has it', (method, path) => {
    expect(parse(method, `${long}${path}`)).toMatchObject({
      place: { at: 'found' },
      view: { ...view, narrowsSelectors: true },
      registered: true,
    });
  });

  it('a list by name is a list as any other', () => {
    const named = parse('GET', `${long}/api/v1/namespaces/d/pods?fieldSelector=metadata.name%3Dx&watch=1`);
    expect(named).toMatchObject({ ask: { verb: 'watch', name: 'x' }, place: { at: 'many' } });
  });

  const byName = 'fieldSelector=metadata.name%3Dx';
  it.each([
    ['', byName],
    ['timeoutSeconds=5', `${byName}&timeoutSeconds=5`],
    ['fieldSelector=spec.nodeName%3Dn,metadata.name%3Dx', 'fieldSelector=spec.nodeName%3Dn,metadata.name%3Dx'],
  ])('URL-6: the old path of a watch of one object selects by its name: %s', (query, sent) => {
    expect(parse('GET', `${long}/api/v1/watch/namespaces/d/pods/x?${query}`)).toMatchObject({
      ask: { verb: 'watch', namespace: 'd', name: 'x' },
      place: { at: 'many' },
      wire: { path: '/api/v1/watch/namespaces/d/pods', query: sent },
    });
  });

  it.each(['metadata.name=y', 'metadata.name!=x', 'spec.nodeName=n'])(
    'and refuses another selector: %s',
    (selector) => {
      const url = `${long}/api/v1/watch/namespaces/d/pods/x?fieldSelector=${encodeURIComponent(selector)}`;
      expect(() => parse('GET', url)).toThrow("fieldSelector metadata.name doesn't match requested name");
    },
  );

  it('suffixed names and namespaces name the cluster (NAME-2)', () => {
    const suffixed = parse('GET', `${long}/api/v1/namespaces/d/pods/x.clusterspace.m1`);
    expect(suffixed).toMatchObject({ place: { at: 'one', cluster: 'm1' }, view: { names: 'name-suffixed' } });
    expect(suffixed).toMatchObject({ registered: true, wire: { path: '/api/v1/namespaces/d/pods/x' } });
    expect(parse('GET', `${long}/api/v1/namespaces/d.clusterspace.m1/pods`)).toMatchObject({
      place: { at: 'one', cluster: 'm1' },
      view: { names: 'namespace-suffixed' },
    });
  });

  it.each(['', '&watch=true'])(
    'CACHE-7: a suffixed name that is selected in all namespaces is merged of one cluster, to leave out namespaces%s',
    (more) => {
      const selecting = (path: string, cluster: string) =>
        parse('GET', `${long}${path}?fieldSelector=metadata.name%3Dpw.clusterspace.${cluster}${more}`);
      expect(selecting('/api/v1/pods', 'm1')).toMatchObject({
        ask: { name: 'pw' },
        place: { at: 'many', clusters: { only: ['m1'] } },
        view: { names: 'name-suffixed' },
        wire: { query: `fieldSelector=metadata.name%3Dpw${more}` },
        registered: true,
      });
      expect(selecting('/api/v1/namespaces/d/pods', 'm1').place).toEqual({ at: 'one', cluster: 'm1' });
      expect(selecting('/api/v1/pods', 'karmada').place).toEqual({ at: 'one', cluster: 'karmada' });
    },
  );

  it('CACHE-7: so is one in an old path of watches', () => {
    const { place } = parse('GET', `${long}/api/v1/watch/pods/pw.clusterspace.m1`);
    expect(place).toEqual({ at: 'many', clusters: { only: ['m1'] } });
  });

  it('CACHE-8: a create that names no cluster is 405 with how to name one', () => {
    const create = (name: string) => {
      const parsed = parse('POST', `${long}/api/v1/namespaces/d/pods`);
      const bytes = Buffer.from(JSON.stringify({ metadata: { name } }));
      return completeTarget(parsed, readTargetBody(parsed, { bytes, contentType: 'application/json' }), () => true);
    };
    expect(() => create('x')).toThrow(
      expect.objectContaining({ code: 405, message: expect.stringContaining('{name}.clusterspace.{cluster}') }),
    );
    expect(create('x.clusterspace.m1')).toMatchObject({ place: { at: 'one', cluster: 'm1' }, registered: true });
  });

  it('URL-12: deletecollection must name one', () => {
    const url = `${long}/api/v1/namespaces/d/pods`;
    expect(() => parse('DELETE', url)).toThrow(expect.objectContaining({ code: 405 }));
    expect(parse('DELETE', `${url}?labelSelector=clusterspace%3Dm1`).place).toEqual({ at: 'one', cluster: 'm1' });
  });
});

describe('CACHE-10: everything else is the control plane’s', () => {
  it.each([
    ['GET', '/api/v1/namespaces/d/secrets?limit=1'],
    ['GET', '/apis/metrics.k8s.io/v1/pods'],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
    ['GET', '/version'],
    ['GET', '/healthz'],
    ['GET', '/'],
  ])('%s %s, as it is', (method, path) => {
    const parsed = parse(method, `${long}${path}`);
    expect(parsed).toMatchObject({
      place: { at: 'one', cluster: 'karmada' },
      view: { names: 'plain' },
      permission: { resource: 'proxying/proxy', name: 'karmada' },
    });
    expect(parsed.registered).toBeUndefined();
    expect(`${parsed.wire.path}?${parsed.wire.query}`).toBe(path.includes('?') ? path : `${path}?`);
  });

  it('a cluster in such a name is 400 (NAME-7)', () => {
    expect(() => parse('GET', `${long}/api/v1/namespaces/d/secrets/x.clusterspace.m1`)).toThrow(
      expect.objectContaining({ code: 400 }),
    );
  });

  it.each(['/api', '/apis', '/apis/apps/v1', '/openapi/v2', '/openapi/v3/api/v1'])(
    '%s is put together here',
    (path) => {
      expect(parse('GET', `${long}${path}`)).toMatchObject({
        place: { at: 'here' },
        about: 'aggregation',
        ask: { is: 'path', path },
        permission,
      });
    },
  );
});

describe('URL-8: paths are strict', () => {
  it.each([
    `${root}/%2e%2e/proxy/api/v1/pods`,
    `${root}/a%2Fb/proxy/api/v1/pods`,
    `${long}/api/v1/../secrets`,
    `${long}/version/%2e%2e/x`,
    `${long}//api/v1/pods`,
    `${root}//proxy/api`,
  ])('%s is not taken for something else', (url) => {
    const outcome = () => {
      const { ask, place } = parse('GET', url);
      return { ask, place };
    };
    try {
      // Whatever it is, it is not the registered pods.
      expect(outcome()).not.toMatchObject({ place: { at: 'many' } });
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      expect(error).toMatchObject({ code: 400 });
    }
  });
});
