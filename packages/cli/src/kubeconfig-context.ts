/** Adds a context for one clusterspace to a kubeconfig, with the same fleet and user. */

interface Named {
  name: string;
}

interface NamedCluster extends Named {
  cluster: { server: string };
}

interface NamedContext extends Named {
  context: { cluster: string; user: string; namespace?: string };
}

export interface Config {
  'current-context'?: string;
  clusters?: NamedCluster[];
  contexts?: NamedContext[];
}

const replaced = <T extends Named>(list: readonly T[] | undefined, one: T): T[] => [
  ...(list ?? []).filter(({ name }) => name !== one.name),
  one,
];

/** The rest of the file is kept. If the context exists already, only the current context changes. */
export function withContext(config: Config, clusterspace: string, server: string): Config {
  const name = `fleet-${clusterspace}`;
  const current = config.contexts?.find((context) => context.name === config['current-context'])?.context;
  const cluster = config.clusters?.find((known) => known.name === current?.cluster)?.cluster;
  if (!current || !cluster) throw new Error(`the kubeconfig has no current context that names a cluster`);
  return {
    ...config,
    clusters: replaced(config.clusters, { name, cluster: { ...cluster, server } }),
    contexts: replaced(config.contexts, { name, context: { ...current, cluster: name } }),
    'current-context': name,
  };
}
