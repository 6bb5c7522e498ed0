/** Files and folders that only we may read. */

import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { makeFolder } from './make-folder.ts';

/** Whole or not at all: a crash in between leaves the old file. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const made = `${path}.new`;
  // What is there already may be somebody else's, or open to others: it would be so with the text in it.
  await rm(made, { force: true });
  await writeFile(made, text, { mode: 0o600, flag: 'wx' });
  await rename(made, path);
}

/** One of our own, which was perhaps there before, copied or restored. */
export async function openPrivateFolder(path: string, warn: (text: string) => void): Promise<void> {
  await makeFolder(path);
  const mode = await openTo(path);
  if (mode === undefined) return;
  await chmod(path, 0o700).catch((error: Error) =>
    warn(`${path} is open to others (mode ${mode}) and cannot be closed: ${error.message}`),
  );
}

/** The mode of a folder that others may enter, read or write. */
export async function openTo(path: string): Promise<string | undefined> {
  const mode = (await stat(path)).mode & 0o777;
  return mode & 0o077 ? mode.toString(8) : undefined;
}

export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
