/** What is propagated: ConfigMaps, which cost members little, or Deployments, whose statuses come back. */

export const namespace = 'bench';

/** Others in the namespace, such as `kube-root-ca.crt`, stay where they are. */
const labels = { bench: 'templates' };
export const selector = 'labelSelector=bench%3Dtemplates';

export const policiesPath = `/apis/policy.karmada.io/v1alpha1/namespaces/${namespace}/propagationpolicies`;
export const bindingsPath = `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings`;

export interface Kind {
  apiVersion: string;
  kind: string;
  path: string;
  /** As `fleet join --federation-kinds` takes it. */
  granted: { group: string; resource: string };
  template(name: string): object;
  /** A merge patch; another one for each value. */
  change(value: string): object;
}

export const configMaps: Kind = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  path: `/api/v1/namespaces/${namespace}/configmaps`,
  granted: { group: '', resource: 'configmaps' },
  template: (name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels },
    data: { value: '0', text: 'x'.repeat(1_000) },
  }),
  change: (value) => ({ data: { value } }),
};

export const deployments: Kind = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
  granted: { group: 'apps', resource: 'deployments' },
  template: (name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu: '10m' } } }] },
      },
    },
  }),
  change: (value) => ({
    metadata: { labels: { value } },
    spec: { template: { metadata: { annotations: { value } } } },
  }),
};

/** One policy for all templates of the kind: all of each in every one of the clusters, or in all that there are. */
export const duplicated = ({ apiVersion, kind }: Kind, clusterNames?: readonly string[], name = 'all') => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name },
  spec: {
    resourceSelectors: [
      { apiVersion, kind, ...(name === 'all' ? { labelSelector: { matchLabels: labels } } : { name }) },
    ],
    placement: {
      ...(clusterNames ? { clusterAffinity: { clusterNames } } : {}),
      replicaScheduling: { replicaSchedulingType: 'Duplicated' },
    },
  },
});
