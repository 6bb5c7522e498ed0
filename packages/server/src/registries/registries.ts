/** The ResourceRegistries of the control plane, and what they want of the members: changes count without a restart (CACHE-4). */

import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { Informer } from '@fleet/client/informer.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';
import type { Served } from '../discovery/discovery.ts';
import { type Cluster, isActive } from '../members/cluster.ts';
import type { AskedResource, Registrations } from '../target/registered.ts';
import { type ClusterName, karmada } from '../target/target.ts';
import type { SelectedCluster } from './cluster-affinity.ts';
import { IndexedWants } from './registrations.ts';
import { type ResourceRegistry, registriesPath } from './resource-registry.ts';
import {
  type RegistryWants,
  sameWants,
  type TargetCluster,
  type WantedResources,
  type Wants,
  wantsOf,
  wantsOfRegistry,
} from './wants.ts';

export interface RegistriesOptions {
  client: KubeClient;
  /** Of the merged views. */
  clusters(): Iterable<Cluster>;
  /** What a member, or the control plane, serves, as it was last known. */
  servedBy(cluster: ClusterName): Served | undefined;
  log: Logger;
}

interface Events {
  /** What is registered is something else than before. */
  changed: [];
  /** Somebody has written a registry, whatever that changes. */
  edited: [];
}

export class ResourceRegistries implements Registrations, AsyncDisposable {
  readonly events = new EventEmitter<Events>();
  private readonly options: RegistriesOptions;
  private readonly registries: Informer<ResourceRegistry>;
  private readonly selected = new Map<ClusterName, string>();
  private indexed = new IndexedWants(new Map());
  private planned: NodeJS.Immediate | undefined;
  private over = false;

  constructor(options: RegistriesOptions) {
    this.options = options;
    this.registries = new Informer<ResourceRegistry>({
      client: options.client,
      path: registriesPath,
      onChange: (_, now, old) => {
        if (wantsTheSame(now, old)) return;
        this.events.emit('edited');
        this.plan();
      },
      onError: (error) => options.log.warn({ err: error }, 'watching ResourceRegistries'),
    });
  }

  /** The first list is in. */
  get synced(): Promise<void> {
    return this.registries.synced;
  }

  get isEmpty(): boolean {
    return this.registries.values()[Symbol.iterator]().next().done === true;
  }

  isRegistered(asked: AskedResource): boolean {
    return this.indexed.isRegistered(asked);
  }

  versionsOf(asked: Pick<AskedResource, 'group' | 'resource'>): readonly string[] {
    return this.indexed.versionsOf(asked);
  }

  clustersOf(asked: AskedResource): ReadonlySet<ClusterName> {
    return this.indexed.clustersOf(asked);
  }

  namespacesOf(cluster: ClusterName, asked: AskedResource): ReadonlySet<string> | undefined {
    return this.indexed.namespacesOf(cluster, asked);
  }

  narrowing(asked: AskedResource): string {
    return this.indexed.narrowing(asked);
  }

  /** What is wanted of each cluster. */
  get wants(): Wants {
    return this.indexed.wants;
  }

  resourcesOf(cluster: ClusterName): WantedResources | undefined {
    return this.indexed.resourcesOf(cluster);
  }

  /** Each registry with what it wants by itself, as clusters are now. */
  *each(): Generator<{ registry: ResourceRegistry; wants: ReadonlyMap<ClusterName, RegistryWants> }> {
    const [targets, controlPlane] = [this.targets(), this.options.servedBy(karmada)];
    for (const registry of byName(this.registries.values())) {
      yield { registry, wants: wantsOfRegistry(registry, targets, controlPlane) };
    }
  }

  /** A Cluster was changed, which happens with each of its probes: only what it is selected by counts. */
  seen(cluster: Cluster): void {
    const { name } = cluster.metadata;
    const { labels, ...others } = selectedBy(cluster);
    const text = JSON.stringify([
      cluster.metadata.uid,
      [...labels],
      others,
      isActive(cluster),
      cluster.metadata.deletionTimestamp,
    ]);
    if (this.selected.get(name) === text) return;
    this.selected.set(name, text);
    this.plan();
  }

  gone(cluster: ClusterName): void {
    this.selected.delete(cluster);
    this.plan();
  }

  /** Many changes come together: they are looked at once. */
  plan(): void {
    if (this.over) return;
    this.planned ??= setImmediate(() => {
      this.planned = undefined;
      this.refresh();
    });
  }

  refresh(): void {
    const wants = wantsOf(byName(this.registries.values()), this.targets(), this.options.servedBy(karmada));
    // Members change what they serve far more often than what is wanted of it.
    if (sameWants(this.wants, wants)) return;
    this.indexed = new IndexedWants(wants);
    this.events.emit('changed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.over = true;
    clearImmediate(this.planned);
    await this.registries[Symbol.asyncDispose]();
  }

  private targets(): TargetCluster[] {
    const { clusters, servedBy } = this.options;
    return [...clusters()].map((cluster) => ({ ...selectedBy(cluster), served: servedBy(cluster.metadata.name) }));
  }
}

/** Its status, which the product writes itself, changes nothing of what it wants. */
function wantsTheSame(a: ResourceRegistry | undefined, b: ResourceRegistry | undefined): boolean {
  if (!a || !b) return false;
  return isDeepStrictEqual(wishOf(a), wishOf(b));
}

const wishOf = ({ spec, metadata: { uid, generation, annotations } }: ResourceRegistry) => [
  uid,
  generation,
  annotations,
  spec,
];

const byName = (registries: Iterable<ResourceRegistry>): ResourceRegistry[] =>
  [...registries].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));

/** Zones are a list since Karmada 1.7; before, a Cluster had one. */
interface Zoned {
  zone?: string;
  zones?: readonly string[];
}

function selectedBy({ metadata, spec }: Cluster): SelectedCluster {
  const { provider, region, zone, zones } = spec as Cluster['spec'] & Zoned;
  return {
    name: metadata.name,
    labels: new Map(Object.entries(metadata.labels ?? {})),
    provider,
    region,
    zones: zones?.length ? zones : zone ? [zone] : [],
  };
}
