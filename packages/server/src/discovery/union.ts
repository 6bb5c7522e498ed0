/** One discovery document from many: whatever any cluster serves is listed (DISC-1). */

import type { GroupDiscovery, GroupDiscoveryList, ResourceDiscovery, VersionDiscovery } from '@fleet/kube/discovery.ts';

export function uniteDiscovery(documents: readonly GroupDiscoveryList[]): GroupDiscoveryList {
  const byName = new Map<string, GroupDiscovery[]>();
  for (const { items } of documents) {
    for (const group of items) {
      const name = group.metadata.name ?? '';
      byName.set(name, [...(byName.get(name) ?? []), group]);
    }
  }
  return { items: [...byName.values()].map(uniteGroup) };
}

function uniteGroup(groups: readonly GroupDiscovery[]): GroupDiscovery {
  const votes = new Map<string, number>();
  for (const { versions } of groups) {
    const preferred = versions?.[0]?.version;
    if (preferred) votes.set(preferred, (votes.get(preferred) ?? 0) + 1);
  }
  const byVersion = new Map<string, VersionDiscovery[]>();
  for (const version of groups.flatMap(({ versions }) => versions ?? [])) {
    byVersion.set(version.version, [...(byVersion.get(version.version) ?? []), version]);
  }
  const versions = [...byVersion.entries()].map(([version, same]) => ({
    version,
    resources: uniteResources(same.flatMap(({ resources }) => resources ?? [])),
    freshness: 'Current',
  }));
  versions.sort(
    (a, b) => (votes.get(b.version) ?? 0) - (votes.get(a.version) ?? 0) || compareVersions(a.version, b.version),
  );
  return { metadata: groups[0]!.metadata, versions };
}

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
