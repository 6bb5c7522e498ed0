/** Filters a member's discovery and OpenAPI down to what is registered, for the aggregation endpoint (CACHE-10). */

import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import type { DiscoveryPlace, Served } from '../discovery/discovery.ts';
import { resourceKey, type WantedResources } from './wants.ts';

type Registered = NonNullable<DiscoveryPlace['registered']>;
type OpenApiIndex = Parameters<Registered['index']>[0];

/** `wanted`: returns what is registered in the member. Results are memoised, as readers compare them by identity. */
export const shownApis = (wanted: () => WantedResources | undefined): Registered => ({
  served: (whole) => shown(apis, whole, wanted(), servedOf),
  index: (whole) => shown(indexes, whole, wanted(), indexOf),
});

const nothing: WantedResources = new Map();

type Made<T extends object> = WeakMap<T, WeakMap<WantedResources, T>>;
const apis: Made<Served> = new WeakMap();
const documents: Made<GroupDiscoveryList> = new WeakMap();
const indexes: Made<OpenApiIndex> = new WeakMap();

function shown<T extends object>(
  made: Made<T>,
  whole: T,
  wanted: WantedResources = nothing,
  make: (whole: T, wanted: WantedResources) => T,
): T {
  const known = made.get(whole) ?? new WeakMap<WantedResources, T>();
  made.set(whole, known);
  const one = known.get(wanted) ?? make(whole, wanted);
  known.set(wanted, one);
  return one;
}

/** Clusters of one version share discovery objects, and so share the filtered ones. */
const servedOf = ({ core, groups }: Served, wanted: WantedResources): Served => ({
  core: shown(documents, core, wanted, within),
  groups: shown(documents, groups, wanted, within),
});

function within({ items }: GroupDiscoveryList, wanted: WantedResources): GroupDiscoveryList {
  return {
    items: items.flatMap(({ metadata, versions = [] }) => {
      const kept = versions.flatMap((one) => {
        const { version, resources = [] } = one;
        const group = metadata.name ?? '';
        const some = resources.filter(({ resource }) => wanted.has(resourceKey({ group, version, resource })));
        return some.length > 0 ? [{ ...one, resources: some }] : [];
      });
      return kept.length > 0 ? [{ metadata, versions: kept }] : [];
    }),
  };
}

/** OpenAPI documents are kept or dropped whole, per group and version. */
function indexOf(index: OpenApiIndex, wanted: WantedResources): OpenApiIndex {
  const paths = new Set([...wanted.values()].map(({ group, version }) => `api${group ? `s/${group}` : ''}/${version}`));
  return new Map([...index].filter(([path]) => paths.has(path)));
}
