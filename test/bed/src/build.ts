/** Builds the binaries a suite needs, and only those, from the Go module proxy into a cache folder outside the repository. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Binary, binaryPath, cacheFolder, goArguments, isOwn } from './binaries.ts';
import { buildLock } from './build-lock.ts';
import { go } from './go.ts';
import { pinSums, prepareModule } from './go-module.ts';
import { showProgress } from './progress.ts';

export interface BuildOptions {
  cache?: string;
  /** Keep the go.sum of each build in the repository; for a new version. */
  pin?: boolean;
}

export async function build(binaries: readonly Binary[], options: BuildOptions = {}): Promise<void> {
  const cache = options.cache ?? cacheFolder();
  const missing = (binary: Binary) => !existsSync(binaryPath(binary, cache));
  if (!binaries.some(missing)) return;
  await mkdir(cache, { recursive: true });
  await using _lock = await buildLock(cache, () => console.error('bed: waiting for another build to finish'));
  for (const binary of binaries) {
    // asked again: the one we waited for may have built it
    if (missing(binary)) await buildOne(binary, cache, options.pin ?? false);
  }
}

async function buildOne(binary: Binary, cache: string, pin: boolean): Promise<void> {
  using progress = showProgress(`bed: ${binary.name} ${isOwn(binary) ? '' : binary.version}`.trim());
  const path = binaryPath(binary, cache);
  const unfinished = `${path}.${process.pid}`;
  try {
    const cwd = await prepareModule(binary, cache);
    await mkdir(dirname(path), { recursive: true });
    const [verb = '', ...rest] = goArguments(binary);
    await go([verb, '-o', unfinished, ...rest], { cwd });
    if (pin) await pinSums(binary, cache);
    await rename(unfinished, path);
  } catch (error) {
    progress.failed();
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}
