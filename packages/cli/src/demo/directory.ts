/** Manages the folder of a demo: a temporary one, which is removed at the end, or one that is kept. */

import { rmSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { openPrivateFolder, readIfThere, writePrivate } from '@fleet/client/private-file.ts';
import { HintedError, UsageError } from '../errors.ts';
import type { DemoState } from './state.ts';

export interface DemoDirectory extends AsyncDisposable {
  path: string;
  /** Whether it stays when the demo ends. */
  isKept: boolean;
  /** What it was the last time. */
  kept: DemoState | undefined;
  keep(state: DemoState): Promise<void>;
  /** Where a cluster keeps what it is; undefined: nowhere. */
  memberDirectory(name: string): string | undefined;
}

export async function openDirectory(keep: string | undefined): Promise<DemoDirectory> {
  if (keep === undefined) {
    const path = await mkdtemp(join(tmpdir(), 'fleet-demo-'));
    // A second Ctrl-C, or output that nobody reads, ends the process at once. The product may still be writing.
    const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    process.once('exit', remove);
    return {
      path,
      isKept: false,
      kept: undefined,
      keep: async () => {},
      memberDirectory: () => undefined,
      [Symbol.asyncDispose]: async () => {
        await rm(path, { recursive: true, force: true });
        process.off('exit', remove);
      },
    };
  }
  const path = resolve(keep);
  if (path.includes(delimiter))
    throw new UsageError(
      `--keep: a folder with "${delimiter}" in its path can stand neither in PATH nor in KUBECONFIG`,
    );
  const file = join(path, 'demo.json');
  const text = await openKept(path, file);
  return {
    path,
    isKept: true,
    kept: text === undefined ? undefined : stateIn(file, text),
    keep: (state) => writePrivate(file, `${JSON.stringify(state)}\n`),
    memberDirectory: (name) => join(path, 'members', name),
    [Symbol.asyncDispose]: async () => {},
  };
}

const anotherFolder = 'Give --keep a new or empty folder';

/** Keys and programs are in it: nobody else may own it, or change what is in it. */
async function openKept(path: string, file: string): Promise<string | undefined> {
  await makeFolder(path);
  const own = process.getuid?.();
  const owners = [(await lstat(path)).uid, (await stat(path)).uid];
  if (own !== undefined && owners.some((owner) => owner !== own))
    throw new HintedError(`${path} belongs to another user`, anotherFolder);
  const text = await readIfThere(file);
  // Closed to others, it would be of no use any more for whatever it is there for.
  if (text === undefined && (await readdir(path)).length > 0)
    throw new HintedError(`${path} holds something else than a demo`, anotherFolder);
  await openPrivateFolder(path, (warning) => {
    throw new HintedError(warning, anotherFolder);
  });
  return text;
}

function stateIn(file: string, text: string): DemoState {
  try {
    return JSON.parse(text) as DemoState;
  } catch (cause) {
    throw new HintedError(`${file} cannot be read: ${(cause as Error).message}`, anotherFolder, { cause });
  }
}

/** A folder for the PATH with `fleet`, and the `node` that it asks for. */
export async function shellFolder(directory: string): Promise<string> {
  const folder = join(directory, 'bin');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await symlink(fileURLToPath(new URL('../fleet.mjs', import.meta.url)), join(folder, 'fleet'));
  await symlink(process.execPath, join(folder, 'node'));
  return folder;
}
