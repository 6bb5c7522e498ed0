/** What is wanted of each member: registries x clusters x the member's own discovery (CACHE-1, CACHE-3). Pure. */

import type { ResourceDiscovery } from '@fleet/kube/discovery.ts';
import type { Served } from '../discovery/discovery.ts';
import { controlPlaneGroups } from '../target/owned-groups.ts';
import type { ClusterName } from '../target/target.ts';
import { type AgreedResource, AgreedResources, type GroupVersion, versionIn } from './agreed-resources.ts';
import { meantBy, type SelectedCluster } from './cluster-affinity.ts';
import type { RegisteredResource } from './registry-tally.ts';
import {
  type Authorization,
  authorizationOf,
  prunesManagedFields,
  type ResourceRegistry,
  type ResourceSelector,
} from './resource-registry.ts';

export interface TargetCluster extends SelectedCluster {
  /** What it serves, as it was last known; undefined where it was never read. */
  served: Served | undefined;
}

export interface WantedResource {
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespaced: boolean;
  /** Undefined: all of them. */
  namespaces: ReadonlySet<string> | undefined;
  /** Of registries that disagree, `Member` counts (IMP-8). */
  authorization: Authorization;
  /** Of registries that disagree, nothing is dropped. */
  prunesManagedFields: boolean;
}

/** By `resourceKey`. Clusters that serve the same and are meant by the same registries share one. */
export type WantedResources = ReadonlyMap<string, WantedResource>;

export type Wants = ReadonlyMap<ClusterName, WantedResources>;

export const resourceKey = ({ group, version, resource }: Pick<WantedResource, 'group' | 'version' | 'resource'>) =>
  `${group}/${version}/${resource}`;

/**
 * A member that was never read is taken to serve what most others do, or the `controlPlane`: a list must report it as missing, not
 * leave it out.
 */
export function wantsOf(
  registries: readonly ResourceRegistry[],
  clusters: readonly TargetCluster[],
  controlPlane?: Served,
): Wants {
  const checks = registries.map((registry) => ({ registry, isMeant: meantBy(registry.spec?.targetCluster) }));
  const numbers = new Map<unknown, number>();
  const numberOf = (one: unknown) => {
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return number;
  };
  const agreed = agreedOn(clusters, controlPlane);
  const known = new Map<string, WantedResources>();
  const wants = new Map<ClusterName, WantedResources>();
  for (const cluster of clusters) {
    const meant = checks.flatMap(({ registry, isMeant }) => (isMeant(cluster) ? [registry] : []));
    if (meant.length === 0) continue;
    const { served } = cluster;
    // Clusters of one version serve the same documents.
    const key = [served?.core, served?.groups, ...meant].map(numberOf).join();
    const resources = known.get(key) ?? resourcesWanted(meant, served, agreed);
    known.set(key, resources);
    if (resources.size > 0) wants.set(cluster.name, resources);
  }
  return wants;
}

/** What one registry wants of one cluster. */
export interface RegistryWants {
  resources: WantedResources;
  /** Selectors that nothing of the cluster matches. */
  notServed: readonly ResourceSelector[];
  /** Those of which nobody knows whether the cluster serves them. */
  unknown: readonly ResourceSelector[];
  /** How many resources are left out, as one registry has so many of one cluster at most. */
  omitted: number;
}

/** By clusters in the order of their names. Those that serve the same share what is made for one. */
export function wantsOfRegistry(
  registry: ResourceRegistry,
  clusters: readonly TargetCluster[],
  controlPlane?: Served,
): ReadonlyMap<ClusterName, RegistryWants> {
  const isMeant = meantBy(registry.spec?.targetCluster);
  const agreed = agreedOn(clusters, controlPlane);
  const known = new Map<object | undefined, Map<object | undefined, RegistryWants>>();
  const wants = new Map<ClusterName, RegistryWants>();
  for (const cluster of clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!isMeant(cluster)) continue;
    const { served } = cluster;
    const alike = known.get(served?.core) ?? new Map<object | undefined, RegistryWants>();
    const one = alike.get(served?.groups) ?? matched(registry, served, agreed);
    known.set(served?.core, alike.set(served?.groups, one));
    wants.set(cluster.name, one);
  }
  return wants;
}

const agreedOn = (clusters: readonly TargetCluster[], controlPlane: Served | undefined): AgreedResources =>
  new AgreedResources(
    clusters.map(({ served }) => served),
    controlPlane,
  );

function matched(registry: ResourceRegistry, served: Served | undefined, agreed: AgreedResources): RegistryWants {
  const byName = [...resourcesWanted([registry], served, agreed)].sort(([a], [b]) => (a < b ? -1 : 1));
  const unmatched = (registry.spec?.resourceSelectors ?? []).filter(
    (selector) => selected(selector, served, agreed).length === 0,
  );
  const all = selectedBy(registry, served, agreed).map(({ one }) => resourceKey(one));
  const isKnown = (selector: ResourceSelector) => knownIn(served, groupVersionOf(selector)) !== undefined;
  return {
    resources: new Map(byName),
    notServed: unmatched.filter(isKnown),
    unknown: unmatched.filter((selector) => !isKnown(selector)),
    omitted: new Set(all).size - byName.length,
  };
}

/** Of one member, by one registry: with `*` a member could make up thousands (SEC-2). */
export const mostWanted = 500;

function resourcesWanted(
  registries: readonly ResourceRegistry[],
  served: Served | undefined,
  agreed: AgreedResources,
): WantedResources {
  const wanted = new Map<string, WantedResource>();
  for (const registry of registries) {
    for (const { one } of withinBound(selectedBy(registry, served, agreed))) {
      const key = resourceKey(one);
      const before = wanted.get(key);
      wanted.set(key, before ? both(before, one) : one);
    }
  }
  return wanted;
}

interface Selected {
  one: WantedResource;
  votes: number;
}

const selectedBy = (registry: ResourceRegistry, served: Served | undefined, agreed: AgreedResources): Selected[] =>
  (registry.spec?.resourceSelectors ?? []).flatMap((selector) =>
    selected(selector, served, agreed).map(({ what, votes }) => ({ one: wantedBy(registry, selector, what), votes })),
  );

/** Of too many, those that most clusters have. */
function withinBound(all: readonly Selected[]): readonly Selected[] {
  if (all.length <= mostWanted) return all;
  const byVotes = all.toSorted((a, b) => b.votes - a.votes);
  const kept = new Set([...new Set(byVotes.map(({ one }) => resourceKey(one)))].slice(0, mostWanted));
  return all.filter(({ one }) => kept.has(resourceKey(one)));
}

function selected(
  selector: ResourceSelector,
  served: Served | undefined,
  agreed: AgreedResources,
): readonly AgreedResource[] {
  const of = groupVersionOf(selector);
  // The control plane's in every view.
  if (controlPlaneGroups.has(of.group)) return [];
  return agreed.ofKind(of, selector.kind, knownIn(served, of));
}

function wantedBy(
  registry: ResourceRegistry,
  selector: ResourceSelector,
  { resource, responseKind, scope }: ResourceDiscovery,
): WantedResource {
  const { namespace } = selector;
  return {
    ...groupVersionOf(selector),
    resource,
    kind: responseKind?.kind ?? '',
    namespaced: scope !== 'Cluster',
    namespaces: namespace && scope !== 'Cluster' ? new Set([namespace]) : undefined,
    authorization: authorizationOf(registry),
    prunesManagedFields: prunesManagedFields(registry),
  };
}

function groupVersionOf({ apiVersion }: ResourceSelector): GroupVersion {
  const slash = apiVersion.indexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Undefined where a member does not know itself what an API server behind it serves: it is missed, not left out (LIST-4). */
function knownIn(served: Served | undefined, of: GroupVersion): ResourceDiscovery[] | undefined {
  if (!served) return undefined;
  const found = versionIn(served, of);
  const resources = found?.resources ?? [];
  return found?.freshness === 'Stale' && resources.length === 0 ? undefined : resources;
}

/** Several registries add up. */
const both = (a: WantedResource, b: WantedResource): WantedResource => ({
  ...a,
  namespaces: a.namespaces && b.namespaces && new Set([...a.namespaces, ...b.namespaces]),
  authorization: a.authorization === 'Member' ? 'Member' : b.authorization,
  prunesManagedFields: a.prunesManagedFields && b.prunesManagedFields,
});

export function sameWants(before: Wants, now: Wants): boolean {
  if (before.size !== now.size) return false;
  const texts = new Map<WantedResources, string>();
  const textOf = (resources: WantedResources): string => {
    const text = texts.get(resources) ?? JSON.stringify([...resources.values()].map(plain));
    texts.set(resources, text);
    return text;
  };
  return now.entries().every(([cluster, resources]) => {
    const last = before.get(cluster);
    return last !== undefined && textOf(last) === textOf(resources);
  });
}

const plain = ({ namespaces, ...rest }: WantedResource) => ({
  ...rest,
  namespaces: namespaces && [...namespaces].sort(),
});

/** One resource of one member, as a cache is to hold it. */
export interface Feed extends WantedResource {
  cluster: ClusterName;
}

export function* feedsOf(wants: Wants): Generator<Feed> {
  for (const [cluster, resources] of wants) for (const resource of resources.values()) yield { cluster, ...resource };
}

/**
 * What the cache holds of one registry's resources. Where another registry wants more namespaces, or all of them, they are in one
 * feed.
 */
export function* feedsOfRegistry(
  cluster: ClusterName,
  { resources }: RegistryWants,
  all: WantedResources | undefined,
): Generator<RegisteredResource> {
  for (const [key, { group, version, resource, kind, namespaces }] of resources) {
    const isWhole = all?.get(key)?.namespaces === undefined || !namespaces;
    for (const namespace of isWhole ? [undefined] : namespaces) {
      yield { cluster, group, version, resource, kind, namespace };
    }
  }
}
