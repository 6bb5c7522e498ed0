/** Wants as requests ask for them: by resource. Made anew when the wants change; what nobody asks for is not made. */

import type { AskedResource, Registrations } from '../target/registered.ts';
import type { ClusterName } from '../target/target.ts';
import { resourceKey, type WantedResource, type WantedResources, type Wants } from './wants.ts';

interface OfResource {
  byCluster: ReadonlyMap<ClusterName, WantedResource>;
  clusters: ReadonlySet<ClusterName>;
  narrowing: string;
}

const nowhere: ReadonlySet<ClusterName> = new Set();

export class IndexedWants implements Registrations {
  readonly wants: Wants;
  /** Alike for most clusters. */
  private readonly distinct: ReadonlySet<WantedResources>;
  private readonly byResource = new Map<string, OfResource>();

  constructor(wants: Wants) {
    this.wants = wants;
    this.distinct = new Set(wants.values());
  }

  isRegistered(asked: AskedResource): boolean {
    const key = resourceKey(asked);
    return this.distinct.values().some((resources) => resources.has(key));
  }

  versionsOf({ group, resource }: Pick<AskedResource, 'group' | 'resource'>): string[] {
    const wanted = this.distinct.values().flatMap((resources) => resources.values());
    const same = wanted.filter((one) => one.group === group && one.resource === resource);
    return [...new Set(same.map(({ version }) => version))];
  }

  clustersOf(asked: AskedResource): ReadonlySet<ClusterName> {
    const of = this.of(asked);
    if (!of) return nowhere;
    const { namespace } = asked;
    if (of.narrowing === '' || namespace === undefined) return of.clusters;
    const has = ({ namespaces }: WantedResource) => !namespaces || namespaces.has(namespace);
    return new Set(of.byCluster.entries().flatMap(([cluster, wanted]) => (has(wanted) ? [cluster] : [])));
  }

  namespacesOf(cluster: ClusterName, asked: AskedResource): ReadonlySet<string> | undefined {
    return this.of(asked)?.byCluster.get(cluster)?.namespaces;
  }

  narrowing(asked: AskedResource): string {
    return this.of(asked)?.narrowing ?? '';
  }

  /** What of a member the aggregation family shows. */
  resourcesOf(cluster: ClusterName): WantedResources | undefined {
    return this.wants.get(cluster);
  }

  private of(asked: AskedResource): OfResource | undefined {
    const key = resourceKey(asked);
    const known = this.byResource.get(key);
    if (known || !this.isRegistered(asked)) return known;
    const byCluster = new Map<ClusterName, WantedResource>();
    for (const [cluster, resources] of this.wants) {
      const wanted = resources.get(key);
      if (wanted) byCluster.set(cluster, wanted);
    }
    const of = { byCluster, clusters: new Set(byCluster.keys()), narrowing: narrowingOf(byCluster) };
    this.byResource.set(key, of);
    return of;
  }
}

function narrowingOf(byCluster: ReadonlyMap<ClusterName, WantedResource>): string {
  if (byCluster.values().every(({ namespaces }) => namespaces === undefined)) return '';
  const told = [...byCluster].map(([cluster, { namespaces }]) => [cluster, namespaces ? [...namespaces].sort() : '*']);
  return JSON.stringify(told.sort(([a], [b]) => (a! < b! ? -1 : 1)));
}
