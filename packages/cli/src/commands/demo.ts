/** `fleet demo`: runs a fleet of simulated clusters until it is interrupted, or until its tour was checked. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { checkTour } from '../demo/check.ts';
import { type Demo, startDemo } from '../demo/demo.ts';
import { openDirectory } from '../demo/directory.ts';
import { shellQuote } from '../demo/shell-quote.ts';
import { type Asked, leastClusters, sizeOf } from '../demo/state.ts';
import { asText, type Need, type Stop, tourOf } from '../demo/tour.ts';
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
  federation?: boolean;
}

const mostClusters = 500;

export async function runDemo(flags: DemoFlags): Promise<void> {
  const asked = askedFor(flags);
  const progress = new Progress();
  using interrupted = interruption();
  await using directory = await openDirectory(flags.keep);
  let isUp = false;
  try {
    await using demo = await startDemo({
      directory,
      size: sizeOf(asked, directory.kept),
      progress,
      signal: interrupted.signal,
      onError: (error) => progress.print(`a simulated cluster: ${describe(error)}`),
    });
    isUp = true;
    await show(demo, flags, interrupted.signal);
    progress.print('\nTaking everything down');
  } catch (error) {
    // Ctrl-C is what a demo ends by, once it is up. A check that was interrupted has not shown what it should.
    const isEnd = isUp && !flags.exitAfterCheck;
    if (!(interrupted.signal.aborted && isEnd)) throw interrupted.signal.aborted ? interrupted.signal.reason : error;
  }
}

async function show(
  { product, folder, lost, federation }: Demo,
  { exitAfterCheck }: DemoFlags,
  signal: AbortSignal,
): Promise<void> {
  const tour = tourOf({ hasKubectl: isInPath('kubectl'), server: product.url, lost, federation });
  print(product.adminKubeconfig, folder, tour, lost);
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

function print(kubeconfig: string, folder: string, tour: readonly Stop[], lost: ReadonlySet<Need>): void {
  const exports = `export KUBECONFIG=${shellQuote(kubeconfig)}\nexport PATH=${shellQuote(folder)}:$PATH\n`;
  const shorter = lost.size > 0 ? '\n# The tour leaves out what was changed in this demo before.\n' : '';
  process.stdout.write(`\nThe fleet is up. In another terminal:\n\n${exports}\n${asText(tour)}${shorter}`);
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

function askedFor({ clusters, pods, seed, listen, federation = false }: DemoFlags): Asked {
  return {
    clusters: numberOf('--clusters', clusters, leastClusters, mostClusters),
    pods: numberOf('--pods', pods, 0, 1_000_000),
    seed: numberOf('--seed', seed, 0, 2 ** 31),
    listen,
    federation,
  };
}

function numberOf(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UsageError(`${flag} takes a number from ${least} to ${most}, not "${text}"`);
}
