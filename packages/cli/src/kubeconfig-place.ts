/** A kubeconfig with one more context: the same fleet and user, aimed at one place. */

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

/** Everything else in the file stays; using a place again changes nothing but the current context. */
export function withPlace(config: Config, place: string, server: string): Config {
  const name = `fleet-${place}`;
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
