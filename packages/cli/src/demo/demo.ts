/** Starts a demo: the server, simulated clusters, and a shop on them, with one folder for all data. */

import { join } from 'node:path';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { clusterspaceUrl } from '../fleet-location.ts';
import type { Progress } from '../progress.ts';
import { createStorefront, isStorefrontAsMade, storefrontOpened, writeTourFiles } from './create-storefront.ts';
import { type DemoDirectory, shellFolder } from './directory.ts';
import { Members } from './members.ts';
import { type PlannedCluster, planClusters } from './plan.ts';
import { podsStarted } from './pods-started.ts';
import { type DemoProduct, startProduct } from './product.ts';
import { type DemoSize, type DemoState, listenedOn } from './state.ts';
import type { Need } from './tour.ts';

export interface DemoParts {
  directory: DemoDirectory;
  size: DemoSize;
  progress: Progress;
  signal: AbortSignal;
  onError(error: unknown): void;
}

export interface Demo extends AsyncDisposable {
  product: DemoProduct;
  /** For the PATH. */
  folder: string;
  /** What the tour cannot show any more. */
  lost: ReadonlySet<Need>;
  /** The folder of the federation's files. */
  federation: string | undefined;
}

export async function startDemo({ directory, size, progress, signal, onError }: DemoParts): Promise<Demo> {
  await using starting = new AsyncDisposableStack();
  const { clusters, seed, pods, federation } = size;
  let state = directory.kept ?? { clusters, seed, pods, filled: 0, opened: 0, joined: 0, federation };
  const keep = (more: Partial<DemoState>) => {
    state = { ...state, ...more };
    return directory.keep(state);
  };
  // A kept one changes only once it is known to be ours: another process may be running it.
  if (!directory.kept) await keep({});
  const plan = planClusters(clusters, seed);
  // The product ends first: it would report each of them unreachable.
  const members = starting.use(new Members({ directory, signal, onError }));
  let product!: DemoProduct;
  await progress.step(`Start the fleet and ${plan.length} simulated clusters`, async (report) => {
    const logFile = join(directory.path, 'fleet.log');
    const options = {
      ...{ dataDir: join(directory.path, 'fleet'), listen: size.listen, logFile, isKept: directory.isKept, federation },
    };
    const settled = await Promise.allSettled([
      startProduct(options).then((started) => {
        product = starting.use(started);
      }),
      members.start(plan, state.opened, report),
    ]);
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
    return summaryOf(plan);
  });
  await keep({ clusters, pods, opened: clusters, listen: listenedOn(size.listen, product.url) });
  if (size.podsNow > 0) {
    await progress.step(`Fill them with ${size.podsNow} pods`, async (report) => {
      await members.fill(size.podsNow, report);
      return undefined;
    });
    await keep({ filled: pods });
  }
  await progress.step('Join them to the fleet', (report) =>
    members.join(product, { joined: state.joined, federation }, report),
  );
  const isNew = state.joined === 0;
  await keep({ joined: clusters });
  await progress.step('Wait for the pods', (report) => podsStarted(members.clients, report, signal));
  const lost = new Set(members.lost);
  if (federation) {
    await progress.step('Propagate a storefront', () => propagate(product, isNew, lost, signal));
  }
  const folder = await shellFolder(directory.path);
  const running = starting.move();
  const files = federation ? await writeTourFiles(directory.path) : undefined;
  return { product, folder, lost, federation: files, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function propagate(product: DemoProduct, isNew: boolean, lost: Set<Need>, signal: AbortSignal): Promise<string> {
  const endpoint = await loadEndpoint(product.adminKubeconfig);
  await using upstream = new HttpsUpstream({ ...endpoint, url: clusterspaceUrl(product.url, 'karmada') });
  const controlPlane = new KubeClient(upstream, 'fleet-cli');
  if (isNew) await createStorefront(controlPlane, signal);
  else if (!(await isStorefrontAsMade(controlPlane, signal))) {
    lost.add('storefront');
    return 'changed before';
  }
  // Not a promise: the upstream is closed when this returns.
  return await storefrontOpened(controlPlane, signal);
}

function summaryOf(plan: readonly PlannedCluster[]): string {
  const shown = plan.slice(0, 3).map(({ name, version }) => `${name} (${version})`);
  return [...shown, ...(plan.length > 3 ? [`${plan.length - 3} more`] : [])].join(', ');
}
