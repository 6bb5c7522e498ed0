/** The kinds that are asked for, some of which nobody has. */

import type { Random } from '@fleet/differential/random.ts';

export interface Kind {
  /** `/api/v1` or `/apis/{group}/{version}`. */
  root: string;
  resource: string;
  namespaced: boolean;
  kind: string;
  spec?: object;
}

const labels = { app: 'web' };
const pod = {
  containers: [{ name: 'c', image: 'i', args: ['x.clusterspace.member1'], env: [{ name: 'A', value: 'b' }] }],
};
const core = { root: '/api/v1', namespaced: true };

const configMaps: Kind = { ...core, resource: 'configmaps', kind: 'ConfigMap' };

const kinds: readonly (readonly [number, Kind])[] = [
  [10, configMaps],
  [2, { ...core, resource: 'secrets', kind: 'Secret' }],
  [3, { ...core, resource: 'pods', kind: 'Pod', spec: pod }],
  [2, { ...core, resource: 'services', kind: 'Service', spec: { selector: labels, ports: [{ port: 80 }] } }],
  [1, { ...core, resource: 'events', kind: 'Event' }],
  [1, { ...core, resource: 'serviceaccounts', kind: 'ServiceAccount' }],
  [1, { ...core, resource: 'namespaces', kind: 'Namespace', namespaced: false }],
  [1, { ...core, resource: 'nodes', kind: 'Node', namespaced: false }],
  [
    3,
    {
      ...{ root: '/apis/apps/v1', resource: 'deployments', namespaced: true, kind: 'Deployment' },
      spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
    },
  ],
  [0.5, { root: '/apis/cluster.karmada.io/v1alpha1', resource: 'clusters', namespaced: false, kind: 'Cluster' }],
  [
    0.5,
    {
      root: '/apis/authorization.k8s.io/v1',
      resource: 'selfsubjectaccessreviews',
      namespaced: false,
      kind: 'SelfSubjectAccessReview',
    },
  ],
  [0.5, { ...core, resource: 'nosuches', kind: 'Nosuch' }],
  [0.5, { ...configMaps, root: '/api/v2' }],
  [0.5, { ...configMaps, root: '/apis/nosuch.example.dev/v1' }],
];

export const kindOf = (random: Random): Kind => random.weighted(kinds);
