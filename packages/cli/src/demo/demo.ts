/** A fleet to try: the product and simulated clusters, a shop on them, one folder for all of it. */

import { join } from 'node:path';
import type { Progress } from '../progress.ts';
import { type DemoDirectory, type Kept, shellFolder } from './directory.ts';
import { Members } from './members.ts';
import { type PlannedCluster, planClusters } from './plan.ts';
import { podsStarted } from './pods-started.ts';
import { type DemoProduct, startProduct } from './product.ts';

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
  /** For the PATH. */
  folder: string;
}

export async function startDemo({ directory, size, progress, signal, onError }: DemoParts): Promise<Demo> {
  await using starting = new AsyncDisposableStack();
  const plan = planClusters(size.clusters, size.seed);
  // The product ends first: it would report each of them unreachable.
  const members = starting.use(new Members({ directory, signal, onError }));
  let product!: DemoProduct;
  await progress.step(`Start the fleet and ${plan.length} simulated clusters`, async () => {
    const logFile = join(directory.path, 'fleet.log');
    const options = { dataDir: join(directory.path, 'fleet'), listen: size.listen, logFile };
    const settled = await Promise.allSettled([
      startProduct(options).then((started) => {
        product = starting.use(started);
      }),
      members.start(plan),
    ]);
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
    return summaryOf(plan);
  });
  await progress.step('Open a shop in each of them', async () => {
    await members.openShops();
    return undefined;
  });
  const morePods = size.pods - (directory.kept?.pods ?? 0);
  if (morePods > 0) {
    await progress.step(`Make ${morePods} pods more`, async () => {
      await members.fill(morePods);
      return undefined;
    });
  }
  await progress.step('Join them to the fleet', async () => {
    await members.join(product);
    return undefined;
  });
  await progress.step('Wait for the pods', () => podsStarted(members.clients, signal));
  const folder = await shellFolder(directory.path);
  await directory.keep({ ...size, listen: new URL(product.url).host });
  const running = starting.move();
  return { product, folder, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function summaryOf(plan: readonly PlannedCluster[]): string {
  const shown = plan.slice(0, 3).map(({ name, version }) => `${name} (${version})`);
  return [...shown, ...(plan.length > 3 ? [`${plan.length - 3} more`] : [])].join(', ');
}
