/** A fleet to try: the product and simulated clusters, a shop on them, one folder for all of it. */

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
import { type DemoDirectory, type Kept, shellFolder } from './directory.ts';
import { fillShop } from './fill-shop.ts';
import { type PlannedCluster, planClusters } from './plan.ts';
import { podsStarted } from './pods-started.ts';
import { type DemoProduct, startProduct } from './product.ts';
import { shopOf } from './shop.ts';

export interface DemoParts {
  directory: DemoDirectory;
  /** How large it is; what was kept goes on. */
  size: Kept;
  progress: Progress;
  signal: AbortSignal;
  onError(error: unknown): void;
}

export interface Demo extends AsyncDisposable {
  product: DemoProduct;
  clusters: readonly SimulatedCluster[];
  /** For the PATH. */
  folder: string;
}

interface Member {
  planned: PlannedCluster;
  cluster: SimulatedCluster;
}

/** How many are started, filled and joined at a time: more of them only wait for each other. */
const atOnce = 8;
const readyWithin = 60_000;
/** Everything takes a third of the time of a real cluster: a tour has no patience. */
const factor = 3;

export async function startDemo({ directory, size, progress, signal, onError }: DemoParts): Promise<Demo> {
  await using starting = new AsyncDisposableStack();
  const plan = planClusters(size.clusters, size.seed);
  let product!: DemoProduct;
  const startMembers = async (clusters: readonly PlannedCluster[]): Promise<Member[]> => {
    // Loaded while the product's process starts.
    const { startCluster } = await import('@fleet/simulator/start-cluster.ts');
    const started: Member[] = [];
    await each(clusters, signal, async (planned) => {
      const { name, version, region, seed } = planned;
      const options = { name, version, region, seed, factor, directory: directory.memberDirectory(name), onError };
      started.push({ planned, cluster: starting.use(await startCluster(options)) });
    });
    return started;
  };
  const members: Member[] = [];
  await progress.step(`Start the fleet and ${plan.length} simulated clusters`, async () => {
    const options = {
      dataDir: join(directory.path, 'fleet'),
      listen: size.listen,
      logFile: join(directory.path, 'fleet.log'),
    };
    // Whatever fails, what the others have started must be known, so that it ends.
    const settled = await Promise.allSettled([
      startProduct(options).then((started) => {
        product = starting.use(started);
      }),
      startMembers(plan).then((started) => members.push(...started)),
    ]);
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
    return summaryOf(plan);
  });
  await progress.step('Open a shop in each of them', async () => {
    await each(members, signal, ({ planned, cluster }) => fillShop(cluster.client, shopOf(planned), signal));
    return undefined;
  });
  await progress.step('Join them to the fleet', async () => {
    const endpoint = await loadEndpoint(product.adminKubeconfig);
    await using upstream = new HttpsUpstream({ ...endpoint, url: placeUrl(product.url, 'karmada') });
    const controlPlane = new KubeClient(upstream, 'fleet-cli');
    await mkdir(join(directory.path, 'kubeconfigs'), { recursive: true, mode: 0o700 });
    await each(members, signal, (member) => joinMember(member, { directory, controlPlane, signal }));
    return undefined;
  });
  await progress.step('Wait for the pods', () =>
    podsStarted(
      members.map(({ cluster }) => cluster.client),
      signal,
    ),
  );
  const folder = await shellFolder(directory.path);
  await directory.keep({ ...size, listen: new URL(product.url).host });
  const running = starting.move();
  return {
    product,
    clusters: members.map(({ cluster }) => cluster),
    folder,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

interface Joining {
  directory: DemoDirectory;
  controlPlane: KubeClient;
  signal: AbortSignal;
}

/** As `fleet join` does it, with the member's kubeconfig. */
async function joinMember({ planned, cluster }: Member, { directory, controlPlane, signal }: Joining): Promise<void> {
  const { name, region } = planned;
  const path = join(directory.path, 'kubeconfigs', name);
  await writePrivate(path, cluster.kubeconfig);
  const endpoint = await loadEndpoint(path);
  await using upstream = PatientUpstream.to(endpoint);
  await joinFleet(
    { name, endpoint, bindAdmins: true, region, provider: 'simulator', readyWithin },
    { member: new KubeClient(upstream, 'fleet-cli'), controlPlane, progress: silent, signal },
  );
}

/** Of many at once steps would not be read. */
const silent = new Progress({ write: () => {} });

async function each<T>(list: readonly T[], signal: AbortSignal, work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...list];
  const worker = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      signal.throwIfAborted();
      await work(one);
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
}

function summaryOf(plan: readonly PlannedCluster[]): string {
  const shown = plan.slice(0, 3).map(({ name, version }) => `${name} (${version})`);
  return [...shown, ...(plan.length > 3 ? [`${plan.length - 3} more`] : [])].join(', ');
}
