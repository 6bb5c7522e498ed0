/** `fleet get clusters`, `fleet get agents` and `fleet get registries`: list the fleet's own kinds, with a kubeconfig of any clusterspace. */

import type { ResourceRegistry } from '@fleet/server/registries/resource-registry.ts';
import { type Cluster, conditionOf, isActive } from '../cluster.ts';
import type { OwnColumns } from '../get/own-columns.ts';
import type { ResourceType } from '../get/resource-types.ts';

export interface OwnKind extends OwnColumns {
  type: ResourceType;
  /** Printed where there is none. */
  empty: string;
}

const ownType = (kind: Pick<ResourceType, 'group' | 'version' | 'resource' | 'kind' | 'shortNames'>): ResourceType => ({
  ...kind,
  singular: kind.kind.toLowerCase(),
  namespaced: false,
  categories: [],
  verbs: ['get', 'list', 'watch'],
});

const ownKinds: readonly OwnKind[] = [
  {
    type: ownType({
      group: 'cluster.karmada.io',
      version: 'v1alpha1',
      resource: 'clusters',
      kind: 'Cluster',
      shortNames: [],
    }),
    empty: 'No clusters yet: see "fleet join --help"',
    // As kubectl prints a node that is cordoned.
    cells: { Ready: (cluster, cell) => (isActive(cluster as Cluster) ? cell : `${cell},Inactive`) },
    wide: [{ name: 'Reason', after: 'Ready', textOf: (cluster) => conditionOf(cluster as Cluster, 'Ready')?.reason }],
  },
  {
    type: ownType({
      group: 'cluster.kubesphere.io',
      version: 'v1alpha1',
      resource: 'agents',
      kind: 'Agent',
      shortNames: [],
    }),
    empty: 'No agents yet: see "fleet join --help"',
  },
  {
    type: ownType({
      group: 'search.karmada.io',
      version: 'v1alpha1',
      resource: 'resourceregistries',
      kind: 'ResourceRegistry',
      shortNames: ['rr', 'registry', 'registries'],
    }),
    empty: 'No registries yet: nothing is cached. A ResourceRegistry names the kinds that are to be',
    // Of several values API servers print the first alone.
    cells: {
      Kinds: (registry, cell) =>
        listText((registry as ResourceRegistry).spec?.resourceSelectors?.map(({ kind }) => kind)) ?? cell,
      Clusters: (registry, cell) => listText((registry as ResourceRegistry).spec?.targetCluster?.clusterNames) ?? cell,
    },
  },
];

/** The kinds that the words name; undefined if one of them is of something that clusters have. */
export function ownKindsOf(words: readonly string[]): OwnKind[] | undefined {
  const first = words[0] ?? '';
  const names = first.includes('/') ? words.map((word) => word.split('/')[0]!) : first.split(',');
  const found = names.map(ownKindOf).filter((kind) => kind !== undefined);
  return found.length === names.length ? [...new Set(found)] : undefined;
}

function ownKindOf(word: string): OwnKind | undefined {
  return ownKinds.find(({ type: { resource, singular, group, shortNames } }) =>
    [resource, singular, ...shortNames, `${resource}.${group}`, `${singular}.${group}`].includes(word.toLowerCase()),
  );
}

const mostListed = 5;

/** As kubectl prints the endpoints of a Service. */
function listText(values: readonly string[] | null | undefined): string | undefined {
  if (!values) return undefined;
  const different = [...new Set(values)];
  const more = different.length - mostListed;
  return `${different.slice(0, mostListed).join(',')}${more > 0 ? ` + ${more} more...` : ''}`;
}
