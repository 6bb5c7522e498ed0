/** An index by resource of what is registered, for requests. Rebuilt when that changes; entries are made on first use. */

import type { AskedResource, Registrations } from '../target/registered.ts';
import type { ClusterName } from '../target/target.ts';
import { resourceKey, type SelectedResource, type SelectedResources, type Selection, type Wants } from './wants.ts';

interface OfResource {
  byCluster: ReadonlyMap<ClusterName, SelectedResource>;
  clusters: ReadonlySet<ClusterName>;
  narrowing: string;
}

const nowhere: ReadonlySet<ClusterName> = new Set();

export class IndexedWants implements Registrations {
  readonly selection: Selection;
  /** Most clusters share one. */
  private readonly distinct: ReadonlySet<SelectedResources>;
  private readonly disputed: ReadonlySet<SelectedResources>;
  private readonly byResource = new Map<string, OfResource>();

  constructor(selection: Selection) {
    this.selection = selection;
    this.distinct = new Set(selection.wants.values());
    this.disputed = new Set(selection.disputed.values());
  }

  get wants(): Wants {
    return this.selection.wants;
  }

  isRegistered(asked: AskedResource): boolean {
    const key = resourceKey(asked);
    // A resource that only members serve is left to them, even if its kind is disputed; the control plane's own is not.
    return this.selection.ofMembersOnly.has(key) || this.distinct.values().some((resources) => resources.has(key));
  }

  versionsOf({ group, resource }: Pick<AskedResource, 'group' | 'resource'>): string[] {
    const selected = this.distinct.union(this.disputed).values();
    const same = selected
      .flatMap((resources) => resources.values())
      .filter((one) => one.group === group && one.resource === resource);
    const versions = new Set(same.map(({ version }) => version));
    return [...versions].filter((version) => this.isRegistered({ group, version, resource, namespace: undefined }));
  }

  clustersOf(asked: AskedResource): ReadonlySet<ClusterName> {
    const of = this.of(asked);
    if (!of) return nowhere;
    const { namespace } = asked;
    if (of.narrowing === '' || namespace === undefined) return of.clusters;
    const has = ({ namespaces }: SelectedResource) => !namespaces || namespaces.has(namespace);
    return new Set(of.byCluster.entries().flatMap(([cluster, selected]) => (has(selected) ? [cluster] : [])));
  }

  namespacesOf(cluster: ClusterName, asked: AskedResource): ReadonlySet<string> | undefined {
    return this.of(asked)?.byCluster.get(cluster)?.namespaces;
  }

  /** See `Registrations`. */
  narrowing(asked: AskedResource): string {
    return this.of(asked)?.narrowing ?? '';
  }

  /** The resources of a member that the aggregation endpoint shows. */
  resourcesOf(cluster: ClusterName): SelectedResources | undefined {
    return this.wants.get(cluster);
  }

  private of(asked: AskedResource): OfResource | undefined {
    const key = resourceKey(asked);
    const known = this.byResource.get(key);
    const has = (resources: SelectedResources): boolean => resources.has(key);
    if (known || !(this.distinct.values().some(has) || this.disputed.values().some(has))) return known;
    const byCluster = new Map<ClusterName, SelectedResource>();
    // Includes clusters where it is partly disputed: they count as missing where only the cache is read; otherwise they are asked.
    for (const some of [this.wants, this.selection.disputed]) {
      for (const [cluster, resources] of some) {
        const selected = resources.get(key);
        if (selected) byCluster.set(cluster, selected);
      }
    }
    const of = { byCluster, clusters: new Set(byCluster.keys()), narrowing: narrowingOf(byCluster) };
    this.byResource.set(key, of);
    return of;
  }
}

function narrowingOf(byCluster: ReadonlyMap<ClusterName, SelectedResource>): string {
  if (byCluster.values().every(({ namespaces }) => namespaces === undefined)) return '';
  const namespacesByCluster = [...byCluster].map(([cluster, { namespaces }]) => [
    cluster,
    namespaces ? [...namespaces].sort() : '*',
  ]);
  return JSON.stringify(namespacesByCluster.sort(([a], [b]) => (a! < b! ? -1 : 1)));
}
