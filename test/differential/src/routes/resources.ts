/** What paths are made of: resources that Kubernetes has, their scope, and what is served below their objects. */

export interface RouteResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  /** False where the servers complete or refuse objects by their own rules: no object of it is ever created. */
  readonly written: boolean;
  /** Names that exist outside of the permitted namespace: what nobody of a run is allowed to touch. */
  readonly names: readonly string[];
}

type Given = Pick<RouteResource, 'resource' | 'kind'> & Partial<RouteResource>;

const of =
  (group: string, version: string, namespaced: boolean) =>
  (one: Given): RouteResource => ({
    group,
    version,
    namespaced,
    subresources: [],
    written: false,
    names: [],
    ...one,
  });

const rbac = 'rbac.authorization.k8s.io';

/** In the permitted namespace (if an object was made there) and in the closed one. */
export const objectNames = ['alpha', 'beta', 'gamma'];

const written = { written: true, names: objectNames };

export const namespacedResources: readonly RouteResource[] = [
  ...[
    { resource: 'configmaps', kind: 'ConfigMap', ...written },
    { resource: 'secrets', kind: 'Secret', ...written },
    { resource: 'serviceaccounts', kind: 'ServiceAccount', subresources: ['token'], ...written },
    { resource: 'pods', kind: 'Pod', subresources: ['status', 'log', 'exec', 'binding', 'eviction', 'proxy'] },
    { resource: 'services', kind: 'Service', subresources: ['status', 'proxy'] },
    { resource: 'replicationcontrollers', kind: 'ReplicationController', subresources: ['status', 'scale'] },
    { resource: 'resourcequotas', kind: 'ResourceQuota', subresources: ['status'] },
    { resource: 'limitranges', kind: 'LimitRange' },
    { resource: 'endpoints', kind: 'Endpoints' },
  ].map(of('', 'v1', true)),
  ...[
    { resource: 'roles', kind: 'Role', ...written },
    { resource: 'rolebindings', kind: 'RoleBinding', ...written },
  ].map(of(rbac, 'v1', true)),
  ...[
    { resource: 'deployments', kind: 'Deployment', subresources: ['status', 'scale'] },
    { resource: 'controllerrevisions', kind: 'ControllerRevision' },
  ].map(of('apps', 'v1', true)),
  of('coordination.k8s.io', 'v1', true)({ resource: 'leases', kind: 'Lease', ...written }),
  of('authorization.k8s.io', 'v1', true)({ resource: 'localsubjectaccessreviews', kind: 'LocalSubjectAccessReview' }),
  of(
    'differential.fleet.dev',
    'v1',
    true,
  )({
    resource: 'widgets',
    kind: 'Widget',
    subresources: ['status', 'scale'],
    ...written,
  }),
];

const inCluster: readonly RouteResource[] = [
  ...[
    {
      resource: 'namespaces',
      kind: 'Namespace',
      subresources: ['status', 'finalize'],
      names: ['kube-system', 'default', 'kube-public', '@{scope}-closed'],
    },
    { resource: 'nodes', kind: 'Node', subresources: ['status', 'proxy'] },
    { resource: 'persistentvolumes', kind: 'PersistentVolume', subresources: ['status'] },
  ].map(of('', 'v1', false)),
  ...[
    { resource: 'clusterroles', kind: 'ClusterRole', names: ['cluster-admin', 'view', 'system:discovery'] },
    { resource: 'clusterrolebindings', kind: 'ClusterRoleBinding', names: ['cluster-admin', 'system:discovery'] },
  ].map(of(rbac, 'v1', false)),
  of('storage.k8s.io', 'v1', false)({ resource: 'storageclasses', kind: 'StorageClass' }),
  of(
    'scheduling.k8s.io',
    'v1',
    false,
  )({
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    names: ['system-node-critical'],
  }),
  of(
    'apiextensions.k8s.io',
    'v1',
    false,
  )({
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    subresources: ['status'],
    names: ['widgets.differential.fleet.dev', 'gadgets.differential.fleet.dev'],
  }),
  of('differential.fleet.dev', 'v1', false)({ resource: 'gadgets', kind: 'Gadget', names: ['@{scope}-closed'] }),
  of('authorization.k8s.io', 'v1', false)({ resource: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview' }),
  of('authentication.k8s.io', 'v1', false)({ resource: 'tokenreviews', kind: 'TokenReview' }),
];

export const routeResources: readonly RouteResource[] = [...namespacedResources, ...inCluster];

export const apiVersionOf = ({ group, version }: RouteResource): string => (group ? `${group}/${version}` : version);

export const rootOf = ({ group, version }: RouteResource): string[] =>
  group === '' ? ['api', version] : ['apis', group, version];
