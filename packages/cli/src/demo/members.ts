/** The clusters of a demo: started, given a shop, and joined to the fleet. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import type { SimulatedCluster } from '@fleet/simulator/start-cluster.ts';
import { placeUrl } from '../fleet-location.ts';
import { join as joinFleet } from '../join/join.ts';
import { PatientUpstream } from '../patient-upstream.ts';
import { Progress } from '../progress.ts';
import type { DemoDirectory } from './directory.ts';
import { each } from './each.ts';
import { fillShop } from './fill-shop.ts';
import type { PlannedCluster } from './plan.ts';
import type { DemoProduct } from './product.ts';
import { shopOf } from './shop.ts';

interface Member {
  planned: PlannedCluster;
  cluster: SimulatedCluster;
}

export interface MembersOptions {
  directory: DemoDirectory;
  signal: AbortSignal;
  onError(error: unknown): void;
}

const readyWithin = 60_000;
/** Everything takes a third of the time of a real cluster: a tour has no patience. */
const factor = 3;

/** Of many at once steps would not be read. */
const silent = new Progress({ write: () => {} });

export class Members implements AsyncDisposable {
  private readonly members: Member[] = [];
  private readonly options: MembersOptions;

  constructor(options: MembersOptions) {
    this.options = options;
  }

  get clients(): KubeClient[] {
    return this.members.map(({ cluster }) => cluster.client);
  }

  async start(plan: readonly PlannedCluster[]): Promise<void> {
    const { directory, signal, onError } = this.options;
    // Loaded while the product's process starts.
    const { startCluster } = await import('@fleet/simulator/start-cluster.ts');
    await each(plan, signal, async (planned) => {
      const { name, version, region, seed } = planned;
      const kept = directory.memberDirectory(name);
      const cluster = await startCluster({ name, version, region, seed, factor, directory: kept, onError });
      this.members.push({ planned, cluster });
    });
  }

  async openShops(): Promise<void> {
    const { signal } = this.options;
    await each(this.members, signal, ({ planned, cluster }) => fillShop(cluster.client, shopOf(planned), signal));
  }

  /** So many over all of them. */
  async fill(pods: number): Promise<void> {
    const share = Math.ceil(pods / this.members.length);
    const filled = this.members.slice(0, Math.ceil(pods / share));
    const shares = filled.map(({ cluster }, index) => ({ cluster, count: Math.min(share, pods - index * share) }));
    await each(shares, this.options.signal, ({ cluster, count }) => cluster.fill(count));
  }

  /** As `fleet join` does it, each with its kubeconfig. */
  async join(product: DemoProduct): Promise<void> {
    const { directory, signal } = this.options;
    const fleet = await loadEndpoint(product.adminKubeconfig);
    await using upstream = new HttpsUpstream({ ...fleet, url: placeUrl(product.url, 'karmada') });
    const controlPlane = new KubeClient(upstream, 'fleet-cli');
    const folder = join(directory.path, 'kubeconfigs');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await each(this.members, signal, async ({ planned: { name, region }, cluster }) => {
      const path = join(folder, name);
      await writePrivate(path, cluster.kubeconfig);
      const endpoint = await loadEndpoint(path);
      await using own = PatientUpstream.to(endpoint);
      await joinFleet(
        { name, endpoint, bindAdmins: true, region, provider: 'simulator', readyWithin },
        { member: new KubeClient(own, 'fleet-cli'), controlPlane, progress: silent, signal },
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map(({ cluster }) => cluster[Symbol.asyncDispose]()));
  }
}
