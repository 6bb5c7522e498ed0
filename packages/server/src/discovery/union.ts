/** Merges the discovery documents of many places: the union lists what any of them serves (DISC-1). */

import { Pace } from '@fleet/client/pace.ts';
import type {
  GroupDiscovery,
  GroupDiscoveryList,
  ResourceDiscovery,
  SubresourceDiscovery,
  VersionDiscovery,
} from '@fleet/kube/discovery.ts';

/** One document, and how many clusters have exactly this document. */
interface Variant<T> {
  what: T;
  by: number;
}

/** The control plane's kinds: those shown in the union, and all of them. */
export interface OwnDiscovery {
  shown?: GroupDiscoveryList | undefined;
  known?: GroupDiscoveryList | undefined;
}

/**
 * If clusters describe a resource differently, the most common description counts; of equally common ones the one that the control plane
 * has, then the first in order of precedence. What the control plane itself shows in the union overrides them all.
 */
export async function uniteDiscovery(
  documents: readonly GroupDiscoveryList[],
  { shown, known }: OwnDiscovery = {},
): Promise<GroupDiscoveryList> {
  const pace = new Pace();
  const expected = expectedOf(known);
  const byName = new Map<string, Variant<GroupDiscovery>[]>();
  for (const [document, same] of Map.groupBy(documents, (one) => one)) {
    const votesFor = onceEach(document === shown ? documents.length : same.length);
    for (const group of document.items) {
      const name = group.metadata.name ?? '';
      addTo(byName, name, { what: group, by: votesFor(name) });
    }
    if (pace.isDue) await pace.rest();
  }
  const items: GroupDiscovery[] = [];
  for (const variants of byName.values()) {
    items.push(await uniteGroup(variants, expected, pace));
    if (pace.isDue) await pace.rest();
  }
  return { items };
}

const describe = ({ scope, responseKind }: ResourceDiscovery): string => `${scope} ${responseKind?.kind}`;
const pathOf = (group: string | undefined, version: string, resource: string): string =>
  `${group ?? ''}/${version}/${resource}`;

/** The description of a resource, by its path. */
type Expected = ReadonlyMap<string, string>;

function expectedOf(known: GroupDiscoveryList | undefined): Expected {
  const expected = new Map<string, string>();
  for (const { metadata, versions = [] } of known?.items ?? []) {
    for (const { version, resources = [] } of versions) {
      for (const one of resources) expected.set(pathOf(metadata.name, version, one.resource), describe(one));
    }
  }
  return expected;
}

/** A member that lists one name twice has one vote for it. */
function onceEach(by: number): (name: string) => number {
  const counted = new Set<string>();
  return (name) => {
    if (counted.has(name)) return 0;
    counted.add(name);
    return by;
  };
}

function addTo<T>(byName: Map<string, T[]>, name: string, one: T): void {
  const same = byName.get(name);
  if (same) same.push(one);
  else byName.set(name, [one]);
}

async function uniteGroup(
  variants: readonly Variant<GroupDiscovery>[],
  expected: Expected,
  pace: Pace,
): Promise<GroupDiscovery> {
  const { metadata } = variants[0]!.what;
  const votes = new Map<string, number>();
  const byVersion = new Map<string, Variant<VersionDiscovery>[]>();
  for (const { what: group, by } of variants) {
    const preferred = group.versions?.[0]?.version;
    if (preferred) votes.set(preferred, (votes.get(preferred) ?? 0) + by);
    const votesFor = onceEach(by);
    for (const version of group.versions ?? []) {
      addTo(byVersion, version.version, { what: version, by: votesFor(version.version) });
    }
    if (pace.isDue) await pace.rest();
  }
  const versions: VersionDiscovery[] = [];
  for (const [version, same] of byVersion) {
    const resources = await uniteResources(
      same,
      (resource) => expected.get(pathOf(metadata.name, version, resource)),
      pace,
    );
    versions.push({ version, resources, freshness: isStale(same) ? 'Stale' : 'Current' });
  }
  versions.sort(
    (a, b) => (votes.get(b.version) ?? 0) - (votes.get(a.version) ?? 0) || compareVersions(a.version, b.version),
  );
  return { metadata, versions };
}

/**
 * Stale only if every cluster reports it as stale. Clients leave out what is stale, so one broken metrics-server would remove the
 * resource from the whole fleet otherwise.
 */
const isStale = (same: readonly Variant<VersionDiscovery>[]): boolean =>
  same.every(({ what }) => what.freshness === 'Stale');

async function uniteResources(
  versions: readonly Variant<VersionDiscovery>[],
  expected: (resource: string) => string | undefined,
  pace: Pace,
): Promise<ResourceDiscovery[]> {
  const byName = new Map<string, Variant<ResourceDiscovery>[]>();
  for (const { what, by } of versions) {
    const votesFor = onceEach(by);
    for (const resource of what.resources ?? []) {
      addTo(byName, resource.resource, { what: resource, by: votesFor(resource.resource) });
      if (pace.isDue) await pace.rest();
    }
  }
  const united: ResourceDiscovery[] = [];
  for (const [name, same] of byName) {
    united.push(same.length === 1 ? same[0]!.what : await uniteResource(same, expected(name), pace));
  }
  return united;
}

/** The tie-break of a vote. */
const half = 0.5;

/** Combined into one, however many there are: a member can list one name as often as it likes (SEC-3). */
async function uniteResource(
  same: readonly Variant<ResourceDiscovery>[],
  expected: string | undefined,
  pace: Pace,
): Promise<ResourceDiscovery> {
  const verbs = new Set<string>();
  const votes = new Map<string, Variant<ResourceDiscovery>>();
  const subresources = new Map<string, SubresourceDiscovery>();
  for (const { what: resource, by } of same) {
    const key = describe(resource);
    const alike = votes.get(key);
    votes.set(key, { what: alike?.what ?? resource, by: by + (alike?.by ?? (key === expected ? half : 0)) });
    for (const verb of resource.verbs) verbs.add(verb);
    for (const sub of resource.subresources ?? []) {
      if (!subresources.has(sub.subresource)) subresources.set(sub.subresource, sub);
    }
    if (pace.isDue) await pace.rest();
  }
  const [most] = [...votes.values()].sort((a, b) => b.by - a.by);
  return {
    ...most!.what,
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

/** Kubernetes' order of versions: stable, then beta, then alpha; newer before older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  for (const index of [0, 1, 2] as const) {
    if (left[index] !== right[index]) return right[index] - left[index];
  }
  return a < b ? -1 : 1;
}
