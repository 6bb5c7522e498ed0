/** Clusters, their discovery, and registries, for tests of what is registered. */

import type { ResourceDiscovery } from '@fleet/kube/discovery.ts';
import type { Served } from '../../discovery/discovery.ts';
import type { ResourceRegistry, ResourceSelector } from '../resource-registry.ts';
import { feedsOf, type TargetCluster, wantsOf } from '../wants.ts';

export const resource = (name: string, kind: string, more: Partial<ResourceDiscovery> = {}): ResourceDiscovery => ({
  resource: name,
  responseKind: { kind },
  scope: 'Namespaced',
  singularResource: '',
  verbs: ['get', 'list', 'watch'],
  ...more,
});

export const served = (byVersion: Record<string, ResourceDiscovery[]>): Served => {
  const groups = Object.entries(byVersion).map(([apiVersion, resources]) => {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    return { metadata: { name: group }, versions: [{ version, resources }] };
  });
  return {
    core: { items: groups.filter(({ metadata }) => metadata.name === '') },
    groups: { items: groups.filter(({ metadata }) => metadata.name !== '') },
  };
};

export const usual = served({
  v1: [
    resource('pods', 'Pod'),
    resource('nodes', 'Node', { scope: 'Cluster' }),
    resource('bindings', 'Binding', { verbs: ['create'] }),
  ],
  'apps/v1': [resource('deployments', 'Deployment')],
});
export const withWidgets = served({ v1: [resource('pods', 'Pod')], 'example.dev/v1': [resource('widgets', 'Widget')] });

export const cluster = (name: string, of: Served | undefined = usual): TargetCluster => ({
  name,
  labels: new Map(),
  zones: [],
  served: of,
});

export const registry = (selectors: ResourceSelector[], spec: ResourceRegistry['spec'] = {}): ResourceRegistry => ({
  metadata: { name: 'r' },
  spec: { resourceSelectors: selectors, ...spec },
});
export const pods: ResourceSelector = { apiVersion: 'v1', kind: 'Pod' };

export const feeds = (registries: ResourceRegistry[], clusters: TargetCluster[], controlPlane?: Served) =>
  [...feedsOf(wantsOf(registries, clusters, controlPlane))].map(
    ({ cluster: name, group, version, resource: of, kind, namespaces }) =>
      `${name} ${group}/${version} ${of} ${kind} ${namespaces ? [...namespaces].sort().join() : '*'}`,
  );
