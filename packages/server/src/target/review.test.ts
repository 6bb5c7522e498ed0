import { describe, expect, it } from 'vitest';
import { completed, targetOf } from '../testing/targets.ts';
import { nothingRegistered } from './registered.ts';

const reviews = '/apis/authorization.k8s.io/v1';
const anyMember = '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy';

const access = (attributes: object, url = `${reviews}/selfsubjectaccessreviews`) =>
  targetOf('POST', url, JSON.stringify({ spec: { resourceAttributes: attributes } })).place;

describe('AUTHZ-4: to whom an access review is sent', () => {
  it('members, with the right that the request in question would need', () => {
    const verbs = (verb: string, resource: string, permission = verb) => [
      { verb, permission: { resource, verb: permission } },
    ];
    const all = { at: 'review', is: 'access', clusters: {} };
    expect(access({ verb: 'list', resource: 'pods' })).toEqual({ ...all, verbs: verbs('list', 'clusterspaces') });
    const proxied = (verb: string) =>
      access({ verb, resource: 'pods' }, `${anyMember}${reviews}/selfsubjectaccessreviews`);
    expect(proxied('watch')).toEqual({ ...all, verbs: verbs('watch', 'clusters/proxy', 'get') });
    expect(proxied('deletecollection')).toMatchObject({ verbs: verbs('deletecollection', 'clusters/proxy', 'delete') });
    expect(proxied('patch')).toMatchObject({ verbs: verbs('patch', 'clusters/proxy') });
  });

  it('a stream by GET needs create, too', () => {
    const attributes = { verb: 'get', resource: 'pods', subresource: 'exec' };
    const permission = { verb: 'get', also: 'create' };
    expect(access(attributes)).toMatchObject({ verbs: [{ verb: 'get', permission }] });
    const proxied = access(attributes, `${anyMember}${reviews}/selfsubjectaccessreviews`);
    expect(proxied).toMatchObject({
      verbs: [{ verb: 'get', permission: { ...permission, resource: 'clusters/proxy' } }],
    });
    const virtual = { verb: 'get', resource: 'virtualmachineinstances', subresource: 'console' };
    expect(access({ ...virtual, group: 'subresources.kubevirt.io' })).toMatchObject({ verbs: [{ permission }] });
    expect(access(virtual)).not.toHaveProperty(['verbs', 0, 'permission', 'also']);
  });

  it.each([
    ['by name', { verb: 'get', resource: 'pods', name: 'x.clusterspace.m1' }, reviews],
    ['by namespace', { verb: 'get', resource: 'pods', namespace: 'd.clusterspace.m1' }, reviews],
    ['by the URL', { verb: 'get', resource: 'pods' }, `/clusterspaces/m1${reviews}`],
    ['by name at any member', { verb: 'get', resource: 'pods', name: 'x.clusterspace.m1' }, `${anyMember}${reviews}`],
  ])('the one member that is named %s', (_, attributes, root) => {
    const place = access(attributes, `${root}/selfsubjectaccessreviews`);
    expect(place).toMatchObject({ at: 'review', clusters: { only: ['m1'] } });
  });

  it('NAME-7: two different ones are 400', () => {
    const attributes = { verb: 'get', resource: 'pods', name: 'x.clusterspace.m1', namespace: 'd.clusterspace.m2' };
    expect(() => access(attributes)).toThrow('two different clusters are named');
    const other = { verb: 'get', resource: 'pods', name: 'x.clusterspace.m2' };
    expect(() => access(other, `/clusterspaces/m1${reviews}/selfsubjectaccessreviews`)).toThrow('two different');
  });

  it('at the aggregation endpoint: members where it is registered, else the control plane', () => {
    const url = `/apis/search.karmada.io/v1alpha1/proxying/me/proxy${reviews}`;
    const registrations = {
      ...nothingRegistered,
      versionsOf: ({ resource }: { resource: string }) => (resource === 'pods' ? ['v1'] : []),
      clustersOf: ({ namespace }: { namespace?: string | undefined }) =>
        new Set(namespace === 'a' ? ['m1'] : ['m1', 'm2']),
    };
    const asked = (attributes: object, resource = 'selfsubjectaccessreviews') => {
      const bytes = Buffer.from(JSON.stringify({ spec: { resourceAttributes: attributes } }));
      const raw = { bytes, contentType: 'application/json' };
      return completed('POST', `${url}/${resource}`, raw, () => true, registrations).place;
    };
    const permission = { resource: 'proxying/proxy', verb: 'get', name: 'me' };
    const all = { at: 'review', is: 'access', clusters: {}, verbs: [{ verb: 'list', permission }] };
    expect(asked({ verb: 'list', resource: 'pods' })).toEqual({ ...all, among: ['m1', 'm2'] });
    expect(asked({ verb: 'list', resource: 'pods', namespace: 'a', version: '*' })).toEqual({ ...all, among: ['m1'] });
    const own = { at: 'one', cluster: 'karmada' };
    expect(asked({ verb: 'list', resource: 'secrets' })).toEqual(own);
    expect(asked({ verb: 'list', resource: 'pods', version: 'v2' })).toEqual(own);
    expect(asked({}, 'selfsubjectrulesreviews')).toEqual(own);
    expect(asked({ verb: 'list', resource: 'pods' }, 'subjectaccessreviews')).toEqual(own);
  });

  it.each([
    ['the fleet’s groups', 'selfsubjectaccessreviews', { resourceAttributes: { group: 'cluster.karmada.io' } }],
    ['who may be somebody else', 'selfsubjectaccessreviews', { resourceAttributes: { verb: 'impersonate' } }],
    ['the product’s own paths', 'selfsubjectaccessreviews', { nonResourceAttributes: { path: '/metrics' } }],
    ['others', 'subjectaccessreviews', { user: 'bob', resourceAttributes: { verb: 'get', resource: 'pods' } }],
    ['nothing at all', 'selfsubjectaccessreviews', {}],
    ['karmada by name', 'selfsubjectaccessreviews', { resourceAttributes: { name: 'x.clusterspace.karmada' } }],
  ])('the control plane answers about %s', (_, resource, spec) => {
    const { place } = targetOf('POST', `${reviews}/${resource}`, JSON.stringify({ spec }));
    expect(place).toEqual({ at: 'one', cluster: 'karmada' });
  });

  it('what cannot be read is the control plane’s to refuse', () => {
    for (const body of ['{', '[]', 'null']) {
      const { place } = targetOf('POST', `${reviews}/selfsubjectaccessreviews`, body);
      expect(place).toEqual({ at: 'one', cluster: 'karmada' });
    }
  });

  it.each([
    { user: 5 },
    { groups: [{}] },
    { groups: 'g' },
    { extra: { key: 'value' } },
    { extra: ['a'] },
    { resourceAttributes: 'pods' },
    { resourceAttributes: { verb: 'get', resource: 'pods', namespace: true } },
    { nonResourceAttributes: [] },
  ])('ERR-4: %j is invalid, and the receiver reports it', (wrong) => {
    const spec = { user: 'bob', resourceAttributes: { verb: 'get', resource: 'pods' }, ...wrong };
    const url = `/clusterspaces/m1${reviews}/subjectaccessreviews`;
    expect(targetOf('POST', url, JSON.stringify({ spec })).place).toEqual({ at: 'one', cluster: 'm1' });
  });

  it('one that has a name is no review: the receiver reports it', () => {
    const url = `/clusterspaces/m1${reviews}/subjectaccessreviews/x`;
    const spec = { user: 'bob', resourceAttributes: { verb: 'get', resource: 'pods' } };
    expect(targetOf('POST', url, JSON.stringify({ spec })).place).toEqual({ at: 'one', cluster: 'm1' });
  });

  it('about others: the suffix’s member, with whom it is about', () => {
    const spec = {
      user: 'bob',
      groups: ['people'],
      extra: { a: ['b'] },
      resourceAttributes: { verb: 'get', resource: 'pods', name: 'x.clusterspace.m1' },
    };
    const { place } = targetOf('POST', `${reviews}/subjectaccessreviews`, JSON.stringify({ spec }));
    expect(place).toMatchObject({
      at: 'review',
      clusters: { only: ['m1'] },
      subject: { name: 'bob', uid: undefined, groups: ['people'], extra: { a: ['b'] } },
    });
    const local = targetOf(
      'POST',
      `${reviews}/namespaces/d.clusterspace.m1/localsubjectaccessreviews`,
      JSON.stringify({ spec: { user: 'bob', resourceAttributes: { verb: 'get', namespace: 'd.clusterspace.m1' } } }),
    );
    expect(local).toMatchObject({
      place: { at: 'review', clusters: { only: ['m1'] } },
      wire: { path: `${reviews}/namespaces/d/localsubjectaccessreviews` },
    });
  });

  it('rules: all members, or the one in the namespace; YAML is read, too', () => {
    const rules = (namespace: string) =>
      targetOf('POST', `${reviews}/selfsubjectrulesreviews`, `spec:\n  namespace: ${namespace}\n`, 'application/yaml')
        .place;
    expect(rules('d')).toMatchObject({ at: 'review', is: 'rules', clusters: {} });
    expect(rules('d.clusterspace.m2')).toMatchObject({ at: 'review', is: 'rules', clusters: { only: ['m2'] } });
  });

  it('LIST-9: protobuf, as typed clients send it', () => {
    const field = (number: number, value: string | Buffer) => {
      const bytes = Buffer.from(value);
      return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
    };
    const attributes = Buffer.concat([field(2, 'get'), field(5, 'pods'), field(7, 'x.clusterspace.m1')]);
    const object = field(2, field(1, attributes));
    const type = Buffer.concat([field(1, 'authorization.k8s.io/v1'), field(2, 'SelfSubjectAccessReview')]);
    const bytes = Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, object)]);
    const contentType = 'application/vnd.kubernetes.protobuf';
    const target = completed('POST', `${reviews}/selfsubjectaccessreviews`, { bytes, contentType });
    expect(target.place).toMatchObject({ at: 'review', clusters: { only: ['m1'] }, verbs: [{ verb: 'get' }] });
    expect(JSON.parse(String(target.body?.read?.json)).spec.resourceAttributes.name).toBe('x.clusterspace.m1');
  });

  it('URL-4: the proxy to one member leaves them alone', () => {
    const url = `/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy${reviews}/selfsubjectaccessreviews`;
    expect(access({ verb: 'get', resource: 'pods' }, url)).toEqual({ at: 'one', cluster: 'm1' });
  });
});
