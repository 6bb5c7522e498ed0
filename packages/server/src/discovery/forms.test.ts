import { describe, expect, it } from 'vitest';
import { aggregatedVersion, apiGroup, apiResourceList, apiVersions } from './forms.ts';

const scope = 'Namespaced' as const;
const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Extracts of kubernetes/api/discovery of 1.36: aggregated_v2.json, and what the same server serves in the older form. */
const pods = {
  resource: 'pods',
  responseKind: { group: '', version: '', kind: 'Pod' },
  scope,
  singularResource: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  verbs: all,
  subresources: [
    { subresource: 'eviction', responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
    { subresource: 'status', responseKind: { group: '', version: '', kind: 'Pod' }, verbs: ['get', 'patch', 'update'] },
  ],
};
const deployments = {
  resource: 'deployments',
  responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  scope,
  singularResource: 'deployment',
  verbs: all,
  subresources: [
    {
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    },
  ],
};

describe('DISC-1: the older form is what kube-apiserver writes', () => {
  it('resources and subresources; a kind of another group has group and version, which kubectl drain looks for', () => {
    expect(apiResourceList('', { version: 'v1', resources: [pods] })).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'v1',
      resources: [
        {
          name: 'pods',
          singularName: 'pod',
          namespaced: true,
          kind: 'Pod',
          verbs: all,
          shortNames: ['po'],
          categories: ['all'],
        },
        {
          name: 'pods/eviction',
          singularName: '',
          namespaced: true,
          group: 'policy',
          version: 'v1',
          kind: 'Eviction',
          verbs: ['create'],
        },
        { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get', 'patch', 'update'] },
      ],
    });
  });

  it('a kind of the list’s own group and version has neither', () => {
    expect(apiResourceList('apps', { version: 'v1', resources: [deployments] }).resources).toEqual([
      { name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment', verbs: all },
      {
        name: 'deployments/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  it('groups prefer their first version', () => {
    expect(apiGroup({ metadata: { name: 'apps' }, versions: [{ version: 'v1' }, { version: 'v1beta1' }] })).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'apps',
      versions: [
        { groupVersion: 'apps/v1', version: 'v1' },
        { groupVersion: 'apps/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
    expect(apiVersions({ items: [{ metadata: {}, versions: [{ version: 'v1' }] }] })).toMatchObject({
      kind: 'APIVersions',
      versions: ['v1'],
    });
  });
});

describe('which form a client wants', () => {
  const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
  it.each([
    [`${v2},${beta},application/json`, 'v2'],
    [`${beta},application/json`, 'v2beta1'],
    [`application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,${beta}`, 'v2beta1'],
    ['application/json', undefined],
    [undefined, undefined],
    ['*/*', undefined],
  ])('%s: %s', (accept, version) => {
    expect(aggregatedVersion(accept)).toBe(version);
  });
});
