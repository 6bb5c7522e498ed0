/**
 * Computes which resources of which members are registered, from ResourceRegistries, Clusters and members' discovery (CACHE-1,
 * CACHE-3). Pure.
 */

import type { ResourceDiscovery } from '@fleet/kube/discovery.ts';
import { matcherOf, type SelectedCluster } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { Served } from '../discovery/discovery.ts';
import { controlPlaneGroups } from '../target/owned-groups.ts';
import type { ClusterName } from '../target/target.ts';
import { type AgreedResource, AgreedResources, type GroupVersion, versionIn } from './agreed-resources.ts';
import { type Selected, withinBound } from './bounded.ts';
import type { RegisteredResource } from './registry-tally.ts';
import {
  type Authorization,
  authorizationOf,
  isValidSelector,
  prunesManagedFields,
  type ResourceRegistry,
  type ResourceSelector,
} from './resource-registry.ts';

export interface TargetCluster extends SelectedCluster {
  /** Its last known discovery; undefined if it was never read. */
  served: Served | undefined;
}

export interface SelectedResource {
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespaced: boolean;
  /** Undefined: all namespaces, or a cluster-scoped resource. */
  namespaces: ReadonlySet<string> | undefined;
  /** If registries disagree, `Member` (IMP-8). */
  authorization: Authorization;
  /** If registries disagree, false. */
  prunesManagedFields: boolean;
}

/** By `resourceKey`. Clusters with the same discovery that the same registries select share one. */
export type SelectedResources = ReadonlyMap<string, SelectedResource>;

export type Wants = ReadonlyMap<ClusterName, SelectedResources>;

export const resourceKey = ({ group, version, resource }: Pick<SelectedResource, 'group' | 'version' | 'resource'>) =>
  `${group}/${version}/${resource}`;

/** What registries select in each member. */
export interface Selection {
  wants: Wants;
  /** Resources whose kind is disputed: the control plane or more members describe them as of another kind. They are not cached. */
  disputed: Wants;
  /** By `resourceKey`: the disputed ones that the control plane does not serve, so that only members can answer. */
  ofMembersOnly: ReadonlySet<string>;
}

export const wantsOf = (...args: Parameters<typeof selectionOf>): Wants => selectionOf(...args).wants;

/**
 * A member whose discovery was never read is assumed to serve what the control plane or most members do, so that lists report it as
 * missing instead of leaving it out.
 */
export function selectionOf(
  registries: readonly ResourceRegistry[],
  clusters: readonly TargetCluster[],
  controlPlane?: Served,
): Selection {
  const checks = registries.map((registry) => ({ registry, isSelected: matcherOf(registry.spec?.targetCluster) }));
  const numbers = new Map<unknown, number>();
  const numberOf = (one: unknown) => {
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return number;
  };
  const agreed = agreedOn(clusters, controlPlane);
  const known = new Map<string, { selected: SelectedResources; disputed: SelectedResources }>();
  const [wants, disputed] = [new Map<ClusterName, SelectedResources>(), new Map<ClusterName, SelectedResources>()];
  for (const cluster of clusters) {
    const selecting = checks.flatMap(({ registry, isSelected }) => (isSelected(cluster) ? [registry] : []));
    if (selecting.length === 0) continue;
    const { served } = cluster;
    // Clusters of one version share discovery objects: the result is computed once for them.
    const key = [served?.core, served?.groups, ...selecting].map(numberOf).join();
    const one = known.get(key) ?? {
      selected: selectResources(selecting, agreedIn(served, agreed)),
      disputed: selectResources(selecting, disputedIn(served, agreed)),
    };
    known.set(key, one);
    if (one.selected.size > 0) wants.set(cluster.name, one.selected);
    if (one.disputed.size > 0) disputed.set(cluster.name, one.disputed);
  }
  const keys = [...known.values()].flatMap((one) => [...one.disputed]);
  const ofMembersOnly = new Set(keys.flatMap(([key, one]) => (agreed.isOnlyOfMembers(one, one.resource) ? [key] : [])));
  return { wants, disputed, ofMembersOnly };
}

/** What one registry selects in one cluster. */
export interface RegistryWants {
  resources: SelectedResources;
  /** Resources whose kind is disputed: they are not cached. */
  disputed: SelectedResources;
  /** Selectors that match nothing in the cluster. */
  notServed: readonly ResourceSelector[];
  /** Selectors whose API the cluster may serve: its discovery is not known. */
  unknown: readonly ResourceSelector[];
  /** How many resources exceed the limit of one registry in one cluster; each namespace of a resource counts. */
  omitted: number;
}

/** Sorted by cluster name. Clusters with the same discovery share one value. */
export function wantsOfRegistry(
  registry: ResourceRegistry,
  clusters: readonly TargetCluster[],
  controlPlane?: Served,
): ReadonlyMap<ClusterName, RegistryWants> {
  const isSelected = matcherOf(registry.spec?.targetCluster);
  const agreed = agreedOn(clusters, controlPlane);
  const known = new Map<object | undefined, Map<object | undefined, RegistryWants>>();
  const wants = new Map<ClusterName, RegistryWants>();
  for (const cluster of clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!isSelected(cluster)) continue;
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
  const [choose, chooseDisputed] = [agreedIn(served, agreed), disputedIn(served, agreed)];
  const resources = byKey(selectResources([registry], choose));
  const unmatched = (registry.spec?.resourceSelectors ?? []).filter(
    (selector) => choose(selector).length === 0 && chooseDisputed(selector).length === 0,
  );
  const isKnown = (selector: ResourceSelector) => knownIn(served, groupVersionOf(selector)) !== undefined;
  return {
    resources,
    disputed: byKey(selectResources([registry], chooseDisputed)),
    notServed: unmatched.filter(isKnown),
    unknown: unmatched.filter((selector) => !isKnown(selector)),
    omitted: withinBound(selectedBy(registry, choose)).omitted,
  };
}

const byKey = (resources: SelectedResources): SelectedResources =>
  new Map([...resources].sort(([a], [b]) => (a < b ? -1 : 1)));

function selectResources(registries: readonly ResourceRegistry[], choose: Choose): SelectedResources {
  const selected = new Map<string, Growing>();
  for (const registry of registries) {
    for (const { key, one } of withinBound(selectedBy(registry, choose)).kept) {
      const before = selected.get(key);
      if (before) extend(before, one);
      else selected.set(key, { ...one, namespaces: one.namespaces && new Set(one.namespaces) });
    }
  }
  return selected;
}

interface Candidate extends Selected {
  one: SelectedResource;
}

const selectedBy = (registry: ResourceRegistry, choose: Choose): Candidate[] =>
  (registry.spec?.resourceSelectors ?? []).flatMap((selector) =>
    choose(selector).map(({ what, votes }) => {
      const one = selectedResource(registry, selector, what);
      return { key: resourceKey(one), namespace: one.namespaces && selector.namespace, votes, one };
    }),
  );

/** Which resources of one member a selector matches. */
type Choose = (selector: ResourceSelector) => readonly AgreedResource[];

const agreedIn = (served: Served | undefined, agreed: AgreedResources): Choose =>
  oncePerKind((selector) => {
    const of = groupVersionOf(selector);
    // These groups belong to the control plane in every view.
    return controlPlaneGroups.has(of.group) ? [] : agreed.ofKind(of, selector.kind, knownIn(served, of));
  });

const disputedIn = (served: Served | undefined, agreed: AgreedResources): Choose =>
  oncePerKind((selector) => {
    const of = groupVersionOf(selector);
    const own = knownIn(served, of);
    return !own || controlPlaneGroups.has(of.group) ? [] : agreed.outvotedOfKind(of, selector.kind, own);
  });

/** Many selectors differ in their namespaces only. An invalid one matches nothing. */
function oncePerKind(choose: Choose): Choose {
  const known = new Map<string, readonly AgreedResource[]>();
  return (selector) => {
    if (!isValidSelector(selector)) return [];
    const key = `${selector.apiVersion} ${selector.kind}`;
    const chosen = known.get(key) ?? choose(selector);
    known.set(key, chosen);
    return chosen;
  };
}

function selectedResource(
  registry: ResourceRegistry,
  selector: ResourceSelector,
  { resource, responseKind, scope }: ResourceDiscovery,
): SelectedResource {
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

/** Undefined if unknown, as when an aggregated API server of the member is down: lists report it as missing, not absent (LIST-4). */
function knownIn(served: Served | undefined, of: GroupVersion): ResourceDiscovery[] | undefined {
  if (!served) return undefined;
  const found = versionIn(served, of);
  const resources = found?.resources ?? [];
  return found?.freshness === 'Stale' && resources.length === 0 ? undefined : resources;
}

/** Its namespaces are added one by one: copying them for each would take quadratic time. */
interface Growing extends SelectedResource {
  namespaces: Set<string> | undefined;
}

/** Adds what another selector selects of the same resource. */
function extend(to: Growing, { namespaces, authorization, prunesManagedFields }: SelectedResource): void {
  if (!namespaces) to.namespaces = undefined;
  else for (const namespace of namespaces) to.namespaces?.add(namespace);
  if (authorization === 'Member') to.authorization = authorization;
  to.prunesManagedFields &&= prunesManagedFields;
}

/** One resource of one member that the cache should hold. */
export interface Feed extends SelectedResource {
  cluster: ClusterName;
}

export function* feedsOf(wants: Wants): Generator<Feed> {
  for (const [cluster, resources] of wants) for (const resource of resources.values()) yield { cluster, ...resource };
}

/**
 * The feeds of one registry's resources. If another registry registers all namespaces of a resource, there is one feed for all of them;
 * otherwise one per namespace.
 */
export function* feedsOfRegistry(
  cluster: ClusterName,
  { resources }: RegistryWants,
  all: SelectedResources | undefined,
): Generator<RegisteredResource> {
  for (const [key, { group, version, resource, kind, namespaces }] of resources) {
    const isWhole = all?.get(key)?.namespaces === undefined || !namespaces;
    for (const namespace of isWhole ? [undefined] : namespaces) {
      yield { cluster, group, version, resource, kind, namespace };
    }
  }
}

export function* disputedOfRegistry(cluster: ClusterName, { disputed }: RegistryWants): Generator<RegisteredResource> {
  for (const { group, version, resource, kind, namespaces } of disputed.values()) {
    for (const namespace of namespaces ?? [undefined]) yield { cluster, group, version, resource, kind, namespace };
  }
}
