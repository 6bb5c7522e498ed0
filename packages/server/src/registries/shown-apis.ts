/** Filters a member's discovery and OpenAPI down to what is registered, for the aggregation endpoint (CACHE-10). */

import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import type { DiscoveryPlace, Served } from '../discovery/discovery.ts';
import { resourceKey, type SelectedResources } from './wants.ts';

type Registered = NonNullable<DiscoveryPlace['registered']>;
type OpenApiIndex = Parameters<Registered['index']>[0];

/** `selected`: returns what is registered in the member. Results are memoised, as readers compare them by identity. */
export const shownApis = (selected: () => SelectedResources | undefined): Registered => ({
  served: (whole) => shown(apis, whole, selected(), servedOf),
  index: (whole) => shown(indexes, whole, selected(), indexOf),
});

const nothing: SelectedResources = new Map();

type Made<T extends object> = WeakMap<T, WeakMap<SelectedResources, T>>;
const apis: Made<Served> = new WeakMap();
const documents: Made<GroupDiscoveryList> = new WeakMap();
const indexes: Made<OpenApiIndex> = new WeakMap();

function shown<T extends object>(
  made: Made<T>,
  whole: T,
  selected: SelectedResources = nothing,
  make: (whole: T, selected: SelectedResources) => T,
): T {
  const known = made.get(whole) ?? new WeakMap<SelectedResources, T>();
  made.set(whole, known);
  const one = known.get(selected) ?? make(whole, selected);
  known.set(selected, one);
  return one;
}

/** Clusters of one version share discovery objects, and so share the filtered ones. */
const servedOf = ({ core, groups }: Served, selected: SelectedResources): Served => ({
  core: shown(documents, core, selected, within),
  groups: shown(documents, groups, selected, within),
});

function within({ items }: GroupDiscoveryList, selected: SelectedResources): GroupDiscoveryList {
  return {
    items: items.flatMap(({ metadata, versions = [] }) => {
      const kept = versions.flatMap((one) => {
        const { version, resources = [] } = one;
        const group = metadata.name ?? '';
        const some = resources.filter(({ resource }) => selected.has(resourceKey({ group, version, resource })));
        return some.length > 0 ? [{ ...one, resources: some }] : [];
      });
      return kept.length > 0 ? [{ metadata, versions: kept }] : [];
    }),
  };
}

/** OpenAPI documents are kept or dropped whole, per group and version. */
function indexOf(index: OpenApiIndex, selected: SelectedResources): OpenApiIndex {
  const paths = new Set(
    [...selected.values()].map(({ group, version }) => `api${group ? `s/${group}` : ''}/${version}`),
  );
  return new Map([...index].filter(([path]) => paths.has(path)));
}
