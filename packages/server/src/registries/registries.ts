/** Watches the control plane's ResourceRegistries, and computes what they select in the members; no restart is needed (CACHE-4). */

import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { Informer } from '@fleet/client/informer.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { SelectedCluster } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { Logger } from 'pino';
import type { Served } from '../discovery/discovery.ts';
import { type Cluster, isActive } from '../members/cluster.ts';
import type { AskedResource, Registrations } from '../target/registered.ts';
import { type ClusterName, karmada } from '../target/target.ts';
import { IndexedWants } from './indexed-wants.ts';
import { type ResourceRegistry, registriesPath } from './resource-registry.ts';
import { sameSelection } from './same-wants.ts';
import {
  type RegistryWants,
  type SelectedResources,
  selectionOf,
  type TargetCluster,
  type Wants,
  wantsOfRegistry,
} from './wants.ts';

export interface RegistriesOptions {
  client: KubeClient;
  /** The Clusters of the merged views. */
  clusters(): Iterable<Cluster>;
  /** The last known discovery of a member, or of the control plane. */
  servedBy(cluster: ClusterName): Served | undefined;
  log: Logger;
}

interface Events {
  /** The registered resources have changed. */
  changed: [];
  /** A registry was edited, even if that changes nothing in the registered resources. */
  edited: [];
}

export class ResourceRegistries implements Registrations, AsyncDisposable {
  readonly events = new EventEmitter<Events>();
  private readonly options: RegistriesOptions;
  private readonly registries: Informer<ResourceRegistry>;
  private readonly selected = new Map<ClusterName, string>();
  private indexed = new IndexedWants({ wants: new Map(), disputed: new Map(), ofMembersOnly: new Set() });
  private planned: NodeJS.Immediate | undefined;
  private isDisposed = false;

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
      onError: (error) => options.log.warn({ err: error }, 'watching ResourceRegistries failed, and is retried'),
    });
  }

  /** Resolves after the first list. */
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

  /** What is registered in each cluster. */
  get wants(): Wants {
    return this.indexed.wants;
  }

  resourcesOf(cluster: ClusterName): SelectedResources | undefined {
    return this.indexed.resourcesOf(cluster);
  }

  /** Each registry with what it alone selects in the current clusters. */
  *each(): Generator<{ registry: ResourceRegistry; wants: ReadonlyMap<ClusterName, RegistryWants> }> {
    const [targets, controlPlane] = [this.targets(), this.options.servedBy(karmada)];
    for (const registry of byName(this.registries.values())) {
      yield { registry, wants: wantsOfRegistry(registry, targets, controlPlane) };
    }
  }

  /** A Cluster was updated, as after each health probe. Only changes of the properties that it can be selected by count. */
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

  /** Coalesces changes that come together into one refresh. */
  plan(): void {
    if (this.isDisposed) return;
    this.planned ??= setImmediate(() => {
      this.planned = undefined;
      this.refresh();
    });
  }

  refresh(): void {
    const selection = selectionOf(byName(this.registries.values()), this.targets(), this.options.servedBy(karmada));
    // Most changes of members' discovery do not affect what is registered.
    if (sameSelection(this.indexed.selection, selection)) return;
    this.indexed = new IndexedWants(selection);
    this.events.emit('changed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
    clearImmediate(this.planned);
    await this.registries[Symbol.asyncDispose]();
  }

  private targets(): TargetCluster[] {
    const { clusters, servedBy } = this.options;
    return [...clusters()].map((cluster) => ({ ...selectedBy(cluster), served: servedBy(cluster.metadata.name) }));
  }
}

/** Ignores the status, which the product writes itself. */
function wantsTheSame(a: ResourceRegistry | undefined, b: ResourceRegistry | undefined): boolean {
  if (!a || !b) return false;
  return isDeepStrictEqual(comparedParts(a), comparedParts(b));
}

const comparedParts = ({ spec, metadata: { uid, generation, annotations } }: ResourceRegistry) => [
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
