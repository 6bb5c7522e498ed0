/** One row of a table as a request: what is sent, by every spelling of the Fleet API. */

export interface Row {
  operation: string;
  method: string;
  /** Without clusterspaces: how they are written is the spelling's. */
  path: string;
  /** `foo`, `karmada` or `all`; undefined in the vanilla tables. */
  clusterspace: string | undefined;
  /** As it stands in the document. */
  text: string;
}

export const rowsOf = (table: string): Row[] =>
  table
    .trim()
    .split('\n')
    .map((text) => {
      const cells = text.slice(1, -1).split('|');
      const [operation = '', request = '', ...rest] = cells.map((cell) => cell.trim());
      const [method = '', url = ''] = request.split(' ');
      const path = url.replace('/clusterspaces/{clusterspace}', '').replace('{namespace}', 'default');
      return { operation, method, path, clusterspace: rest.length === 2 ? rest[0] : undefined, text };
    });

export type Spelling = (path: string, clusterspace: string) => string;

/** `/apis/{group}/{version}[/namespaces/{ns}]`, then the rest. */
const root = /^(\/apis\/[^/]+\/[^/]+(?:\/namespaces\/[^/]+)?)(\/.*)$/;

export const spellings: Readonly<Record<string, Spelling>> = {
  'inside the path': (path, clusterspace) => path.replace(root, `$1/clusterspaces/${clusterspace}$2`),
  'as a prefix': (path, clusterspace) => `/clusterspaces/${clusterspace}${path}`,
  'as a query': (path, clusterspace) => `${path}?clusterspace=${clusterspace}`,
};

export interface Kind {
  resource: string;
  collection: string;
  make(name: string): KubeObject;
  /** No controller writes such objects: what was read can be written back with its version. */
  isQuiet: boolean;
}

export interface KubeObject {
  metadata: { name: string; labels: Record<string, string>; resourceVersion?: string };
}

const labelled = (name: string) => ({ name, labels: { row: name } });

export const deployments: Kind = {
  resource: 'deployments',
  collection: '/apis/apps/v1/namespaces/default/deployments',
  isQuiet: false,
  make: (name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: labelled(name),
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'c', image: 'web:1' }] },
      },
    },
  }),
};

export const clusterRoles: Kind = {
  resource: 'clusterroles',
  collection: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  isQuiet: true,
  make: (name) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: labelled(name),
    rules: [],
  }),
};
