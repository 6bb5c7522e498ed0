/** One discovery document from many: whatever any cluster serves is listed (DISC-1). */

import { Pace } from '@fleet/client/pace.ts';
import type { GroupDiscovery, GroupDiscoveryList, ResourceDiscovery, VersionDiscovery } from '@fleet/kube/discovery.ts';

/** A group of one document, and how many clusters said just the same. */
interface Said {
  group: GroupDiscovery;
  by: number;
}

/** In order of precedence: where clusters differ in what a resource is, the first counts. */
export async function uniteDiscovery(documents: readonly GroupDiscoveryList[]): Promise<GroupDiscoveryList> {
  const pace = new Pace();
  const byName = new Map<string, Said[]>();
  for (const [{ items }, same] of Map.groupBy(documents, (document) => document)) {
    for (const group of items) {
      const name = group.metadata.name ?? '';
      const said = byName.get(name);
      if (said) said.push({ group, by: same.length });
      else byName.set(name, [{ group, by: same.length }]);
    }
  }
  const items: GroupDiscovery[] = [];
  for (const said of byName.values()) {
    items.push(uniteGroup(said));
    if (pace.isDue) await pace.rest();
  }
  return { items };
}

function uniteGroup(said: readonly Said[]): GroupDiscovery {
  const votes = new Map<string, number>();
  for (const { group, by } of said) {
    const preferred = group.versions?.[0]?.version;
    if (preferred) votes.set(preferred, (votes.get(preferred) ?? 0) + by);
  }
  const groups = said.map(({ group }) => group);
  const byVersion = new Map<string, VersionDiscovery[]>();
  for (const version of groups.flatMap(({ versions }) => versions ?? [])) {
    const same = byVersion.get(version.version);
    if (same) same.push(version);
    else byVersion.set(version.version, [version]);
  }
  const versions = [...byVersion.entries()].map(([version, same]) => ({
    version,
    resources: uniteResources(same.flatMap(({ resources }) => resources ?? [])),
    freshness: isStale(same) ? 'Stale' : 'Current',
  }));
  versions.sort(
    (a, b) => (votes.get(b.version) ?? 0) - (votes.get(a.version) ?? 0) || compareVersions(a.version, b.version),
  );
  return { metadata: groups[0]!.metadata, versions };
}

/**
 * Where no cluster knows it well. Clients leave out what is stale: if one cluster's word were enough, a broken metrics-server
 * there would take the resource from the whole fleet.
 */
const isStale = (same: readonly VersionDiscovery[]): boolean => same.every(({ freshness }) => freshness === 'Stale');

function uniteResources(resources: readonly ResourceDiscovery[]): ResourceDiscovery[] {
  const byName = new Map<string, ResourceDiscovery>();
  for (const resource of resources) {
    const known = byName.get(resource.resource);
    byName.set(resource.resource, known ? uniteResource(known, resource) : resource);
  }
  return [...byName.values()];
}

function uniteResource(a: ResourceDiscovery, b: ResourceDiscovery): ResourceDiscovery {
  const subresources = new Map(
    [...(b.subresources ?? []), ...(a.subresources ?? [])].map((sub) => [sub.subresource, sub]),
  );
  return {
    ...a,
    verbs: [...new Set([...a.verbs, ...b.verbs])],
    ...(subresources.size > 0 ? { subresources: [...subresources.values()] } : {}),
  };
}

const parseVersion = (version: string): [stability: number, major: number, minor: number] => {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return [-1, 0, 0];
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
};

/** Kubernetes' own order: stable first, then beta, then alpha, newer before older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  for (const index of [0, 1, 2] as const) {
    if (left[index] !== right[index]) return right[index] - left[index];
  }
  return a < b ? -1 : 1;
}
