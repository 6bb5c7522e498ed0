/** Files and folders that only the process's user can read. */

import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { makeFolder } from './make-folder.ts';

/** Atomic: a crash leaves the old file. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const made = `${path}.new`;
  // An existing file may be readable by others or open in another process; written in place, the text would be too.
  await rm(made, { force: true });
  await writeFile(made, text, { mode: 0o600, flag: 'wx' });
  await rename(made, path);
}

/** Creates or opens a folder of our own; an existing one may have been copied or restored with a wrong mode. */
export async function openPrivateFolder(path: string, warn: (text: string) => void): Promise<void> {
  await makeFolder(path);
  const mode = await openTo(path);
  if (mode === undefined) return;
  await chmod(path, 0o700).catch((error: Error) =>
    warn(`${path} is open to others (mode ${mode}) and cannot be closed: ${error.message}`),
  );
}

/** The mode of a folder that other users can enter, read or write; else undefined. */
export async function openTo(path: string): Promise<string | undefined> {
  const mode = (await stat(path)).mode & 0o777;
  return mode & 0o077 ? mode.toString(8) : undefined;
}

export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
