/** Starts the clusters of a demo, creates their shops, and joins them to the fleet. */

import { join } from 'node:path';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import type { SimulatedCluster } from '@fleet/simulator/start-cluster.ts';
import { concurrently } from '../concurrently.ts';
import { clusterspaceUrl } from '../fleet-location.ts';
import { listClusters } from '../join/inspect.ts';
import { join as joinFleet } from '../join/join.ts';
import { PatientUpstream } from '../patient-upstream.ts';
import { Progress, type ReportProgress } from '../progress.ts';
import { createShop } from './create-shop.ts';
import type { DemoDirectory } from './directory.ts';
import { lostOf } from './lost.ts';
import type { PlannedCluster } from './plan.ts';
import type { DemoProduct } from './product.ts';
import { correctAddresses, untilRejoined } from './rejoined.ts';
import { retryUnreachable } from './retry-unreachable.ts';
import { sharesOf } from './shares.ts';
import { shopOf } from './shop.ts';
import { leastClusters } from './state.ts';
import type { Need } from './tour.ts';

interface Member {
  planned: PlannedCluster;
  /** In the plan. */
  index: number;
  cluster: SimulatedCluster;
}

export interface MembersOptions {
  directory: DemoDirectory;
  signal: AbortSignal;
  onError(error: unknown): void;
}

/** In milliseconds. Generous: a slow machine runs the demo, too, and progress is shown. */
const readyWithin = 300_000;
/** Everything takes a third of the time of a real cluster: a tour has no patience. */
const factor = 3;

/** What the storefront is made of. */
const federationKinds = [{ group: 'apps', resource: 'deployments' }];

interface Joining {
  /** So many of the first were joined before. */
  joined: number;
  federation: boolean;
}

/** Of many at once steps would not be read. */
const silent = new Progress({ write: () => {} });

export class Members implements AsyncDisposable {
  /** What the tour cannot show any more. */
  lost: ReadonlySet<Need> = new Set();
  private readonly members: Member[] = [];
  private readonly options: MembersOptions;

  constructor(options: MembersOptions) {
    this.options = options;
  }

  get clients(): KubeClient[] {
    return this.members.map(({ cluster }) => cluster.client);
  }

  /** The first `opened` have had a shop before. */
  async start(plan: readonly PlannedCluster[], opened: number, report: ReportProgress): Promise<void> {
    const { directory, signal, onError } = this.options;
    // Loaded while the product's process starts.
    const { startCluster } = await import('@fleet/simulator/start-cluster.ts');
    const start = async ({ planned, index }: { planned: PlannedCluster; index: number }) => {
      const { name, version, region, seed } = planned;
      const kept = directory.memberDirectory(name);
      const cluster = await startCluster({ name, version, region, seed, factor, directory: kept, onError });
      this.members.push({ planned, index, cluster });
      // Its pods start while others are still waited for.
      if (index >= opened) await createShop(cluster.client, shopOf(planned), signal);
    };
    const list = plan.map((planned, index) => ({ planned, index }));
    await concurrently(list, signal, start, (done) => report(`${done} of ${plan.length}`));
    this.members.sort((one, other) => one.index - other.index);
  }

  /** Creates pods until all clusters together have so many. Each cluster gets the same share; existing pods count. */
  async fill(pods: number, report: ReportProgress): Promise<void> {
    const { signal } = this.options;
    const there = await Promise.all(this.members.map(({ cluster }) => cluster.filled()));
    const missing = sharesOf(pods, there);
    const sum = missing.reduce((total, count) => total + count, 0);
    let made = 0;
    const onMade = (count: number) => {
      made += count;
      report(`${made} of ${sum}`);
    };
    const shares = this.members.map(({ cluster }, index) => ({ cluster, count: missing[index]! }));
    await concurrently(
      shares.filter(({ count }) => count > 0),
      signal,
      ({ cluster, count }) => cluster.fill(count, { signal, onMade }),
    );
  }

  /** As `fleet join` does it, each with its kubeconfig. */
  async join(
    product: DemoProduct,
    { joined, federation }: Joining,
    report: ReportProgress,
  ): Promise<string | undefined> {
    const { directory, signal } = this.options;
    const endpoint = await loadEndpoint(product.adminKubeconfig);
    await using whole = new HttpsUpstream({ ...endpoint, url: product.url });
    await using upstream = new HttpsUpstream({ ...endpoint, url: clusterspaceUrl(product.url, 'karmada') });
    const controlPlane = new KubeClient(upstream, 'fleet-cli');
    const folder = join(directory.path, 'kubeconfigs');
    await makeFolder(folder);
    const kubeconfigOf = ({ planned }: Member) => join(folder, planned.name);
    const formerUrlsOf = async (member: Member) =>
      [await urlIn(kubeconfigOf(member)), member.cluster.formerUrl].filter((url) => url !== undefined);
    const before = await Promise.all(
      this.members
        .slice(0, joined)
        .map(async (member) => ({ ...member.cluster, formerUrls: await formerUrlsOf(member) })),
    );
    // Before the kubeconfigs are written: they hold the old address until the fleet knows the new one.
    await correctAddresses(before, { controlPlane, signal });
    const joinOne = async (one: Member) => {
      const { planned, index, cluster } = one;
      const { name, region } = planned;
      const path = kubeconfigOf(one);
      await writePrivate(path, cluster.kubeconfig);
      if (index < joined) return;
      const endpoint = await loadEndpoint(path);
      await using own = PatientUpstream.to(endpoint);
      const member = new KubeClient(own, 'fleet-cli');
      const grants = federation ? { federationKinds } : {};
      const request = { name, endpoint, bindAdmins: true, region, provider: 'simulator', readyWithin, ...grants };
      await retryUnreachable(() => joinFleet(request, { member, controlPlane, progress: silent, signal }), signal);
    };
    await concurrently(this.members, signal, joinOne, (done) => report(`${done} of ${this.members.length}`));
    if (joined === 0) return undefined;
    const fleet = new KubeClient(whole, 'fleet-cli');
    const note = await untilRejoined(before, { controlPlane, fleet, signal });
    const names = new Set((await listClusters(controlPlane, signal)).map(({ metadata }) => metadata.name));
    const toured = this.members.slice(0, leastClusters).map(({ cluster: { name, client } }) => ({
      name,
      client,
      isJoined: names.has(name),
    }));
    this.lost = await lostOf(toured, signal);
    return note;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map(({ cluster }) => cluster[Symbol.asyncDispose]()));
  }
}

/** Undefined if there is no such file, or none that can be read: it is written anew. */
const urlIn = (path: string): Promise<string | undefined> =>
  loadEndpoint(path).then(
    ({ url }) => url,
    () => undefined,
  );
