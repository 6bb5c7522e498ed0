/** One discovery document from many: whatever any cluster serves is listed (DISC-1). */

import { Pace } from '@fleet/client/pace.ts';
import type {
  GroupDiscovery,
  GroupDiscoveryList,
  ResourceDiscovery,
  SubresourceDiscovery,
  VersionDiscovery,
} from '@fleet/kube/discovery.ts';

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
    for (const group of items) addTo(byName, group.metadata.name ?? '', { group, by: same.length });
    if (pace.isDue) await pace.rest();
  }
  const items: GroupDiscovery[] = [];
  for (const said of byName.values()) {
    items.push(await uniteGroup(said, pace));
    if (pace.isDue) await pace.rest();
  }
  return { items };
}

function addTo<T>(byName: Map<string, T[]>, name: string, one: T): void {
  const same = byName.get(name);
  if (same) same.push(one);
  else byName.set(name, [one]);
}

async function uniteGroup(said: readonly Said[], pace: Pace): Promise<GroupDiscovery> {
  const votes = new Map<string, number>();
  const byVersion = new Map<string, VersionDiscovery[]>();
  for (const { group, by } of said) {
    const preferred = group.versions?.[0]?.version;
    if (preferred) votes.set(preferred, (votes.get(preferred) ?? 0) + by);
    for (const version of group.versions ?? []) addTo(byVersion, version.version, version);
    if (pace.isDue) await pace.rest();
  }
  const versions: VersionDiscovery[] = [];
  for (const [version, same] of byVersion) {
    const resources = await uniteResources(same, pace);
    versions.push({ version, resources, freshness: isStale(same) ? 'Stale' : 'Current' });
  }
  versions.sort(
    (a, b) => (votes.get(b.version) ?? 0) - (votes.get(a.version) ?? 0) || compareVersions(a.version, b.version),
  );
  return { metadata: said[0]!.group.metadata, versions };
}

/**
 * Where no cluster knows it well. Clients leave out what is stale: if one cluster's word were enough, a broken metrics-server
 * there would take the resource from the whole fleet.
 */
const isStale = (same: readonly VersionDiscovery[]): boolean => same.every(({ freshness }) => freshness === 'Stale');

async function uniteResources(versions: readonly VersionDiscovery[], pace: Pace): Promise<ResourceDiscovery[]> {
  const byName = new Map<string, ResourceDiscovery[]>();
  for (const { resources } of versions) {
    for (const resource of resources ?? []) {
      addTo(byName, resource.resource, resource);
      if (pace.isDue) await pace.rest();
    }
  }
  const united: ResourceDiscovery[] = [];
  for (const same of byName.values()) united.push(same.length === 1 ? same[0]! : await uniteResource(same, pace));
  return united;
}

/** Gathered into one, however many there are: a member may list one name as often as it likes (SEC-3). */
async function uniteResource(same: readonly ResourceDiscovery[], pace: Pace): Promise<ResourceDiscovery> {
  const verbs = new Set<string>();
  const subresources = new Map<string, SubresourceDiscovery>();
  for (const resource of same) {
    for (const verb of resource.verbs) verbs.add(verb);
    for (const sub of resource.subresources ?? []) {
      if (!subresources.has(sub.subresource)) subresources.set(sub.subresource, sub);
    }
    if (pace.isDue) await pace.rest();
  }
  return {
    ...same[0]!,
    verbs: [...verbs],
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
