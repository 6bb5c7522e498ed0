/** The folder of a demo: a temporary one, which goes with it, or one that is kept. */

import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';

/** What a kept demo goes on with. */
export interface Kept {
  clusters: number;
  pods: number;
  seed: number;
  listen: string;
}

export interface DemoDirectory extends AsyncDisposable {
  path: string;
  kept: Kept | undefined;
  keep(state: Kept): Promise<void>;
  /** Where a cluster keeps what it is; undefined: nowhere. */
  memberDirectory(name: string): string | undefined;
}

export async function openDirectory(keep: string | undefined): Promise<DemoDirectory> {
  if (keep === undefined) {
    const path = await mkdtemp(join(tmpdir(), 'fleet-demo-'));
    return {
      path,
      kept: undefined,
      keep: async () => {},
      memberDirectory: () => undefined,
      [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
    };
  }
  const path = resolve(keep);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const file = join(path, 'demo.json');
  const text = await readIfThere(file);
  return {
    path,
    kept: text === undefined ? undefined : (JSON.parse(text) as Kept),
    keep: (state) => writePrivate(file, `${JSON.stringify(state)}\n`),
    memberDirectory: (name) => join(path, 'members', name),
    [Symbol.asyncDispose]: async () => {},
  };
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
