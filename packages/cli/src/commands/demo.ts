import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { checkTour } from '../demo/check.ts';
import { type Demo, startDemo } from '../demo/demo.ts';
import { type Kept, openDirectory } from '../demo/directory.ts';
import { asText, type Stop, tourOf } from '../demo/tour.ts';
import { describe, UsageError } from '../errors.ts';
import { interruption } from '../interruption.ts';
import { Progress } from '../progress.ts';

export interface DemoFlags {
  clusters?: string;
  pods?: string;
  keep?: string;
  listen?: string;
  seed?: string;
  exitAfterCheck?: boolean;
}

/** The tour is about the first three. */
const leastClusters = 3;
const mostClusters = 500;

export async function runDemo(flags: DemoFlags): Promise<void> {
  const asked = askedFor(flags);
  const progress = new Progress();
  using interrupted = interruption();
  await using directory = await openDirectory(flags.keep);
  try {
    await using demo = await startDemo({
      directory,
      size: sizeOf(asked, directory.kept),
      progress,
      signal: interrupted.signal,
      onError: (error) => progress.say(`a simulated cluster: ${describe(error)}`),
    });
    await show(demo, flags, interrupted.signal);
    progress.say('\nTaking everything down');
  } catch (error) {
    // Ctrl-C is what a demo ends by.
    if (!interrupted.signal.aborted) throw error;
  }
}

async function show({ product, folder }: Demo, { exitAfterCheck }: DemoFlags, signal: AbortSignal): Promise<void> {
  const tour = tourOf(isInPath('kubectl'), product.url);
  print(product.adminKubeconfig, folder, tour);
  if (exitAfterCheck) {
    const env = {
      ...process.env,
      KUBECONFIG: product.adminKubeconfig,
      KUBECACHEDIR: join(folder, 'cache'),
      PATH: `${folder}${delimiter}${process.env['PATH']}`,
    };
    const failed = await checkTour(tour, { env, signal, write: (text) => process.stdout.write(text) });
    if (failed.length > 0) throw new Error(`${failed.length} of ${tour.length} commands do not show what they should`);
    return;
  }
  process.stderr.write('\nCtrl-C takes everything down.\n');
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  if (signal.aborted) return;
  const died = await Promise.race([stopped, product.ended]);
  if (died) throw died;
}

function print(kubeconfig: string, folder: string, tour: readonly Stop[]): void {
  const exports = `export KUBECONFIG=${kubeconfig}\nexport PATH=${folder}:$PATH\n`;
  process.stdout.write(`\nThe fleet is up. In another terminal:\n\n${exports}\n${asText(tour)}`);
}

const isInPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

interface Asked {
  clusters: number | undefined;
  pods: number | undefined;
  seed: number | undefined;
  listen: string | undefined;
}

function askedFor({ clusters, pods, seed, listen }: DemoFlags): Asked {
  return {
    clusters: numberOf('--clusters', clusters, leastClusters, mostClusters),
    pods: numberOf('--pods', pods, 0, 1_000_000),
    seed: numberOf('--seed', seed, 0, 2 ** 31),
    listen,
  };
}

function numberOf(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UsageError(`${flag} takes a number from ${least} to ${most}, not "${text}"`);
}

/** What was kept stays: a member that was joined is started again. */
const sizeOf = (asked: Asked, kept: Kept | undefined): Kept => ({
  clusters: Math.max(asked.clusters ?? leastClusters, kept?.clusters ?? 0),
  pods: Math.max(asked.pods ?? 0, kept?.pods ?? 0),
  seed: kept?.seed ?? asked.seed ?? 1,
  listen: asked.listen ?? kept?.listen ?? '127.0.0.1:0',
});
