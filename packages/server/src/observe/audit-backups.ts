/** Rotates audit logs: a full one is renamed with the time, as in kube-apiserver (`audit-2026-01-31T….log`). */

import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

const stamp = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/;

const partsOf = (path: string) => {
  const ending = extname(path);
  return { folder: dirname(path), beginning: `${basename(path, ending)}-`, ending };
};

/** The writer continues to write to it until it opens the path again. Never overwrites a file. */
export async function renameFull(path: string, now = Date.now()): Promise<void> {
  const { folder, beginning, ending } = partsOf(path);
  const there = new Set(await readdir(folder));
  let name: string;
  do {
    name = `${beginning}${new Date(now++).toISOString().replaceAll(':', '-').replace('Z', '')}${ending}`;
  } while (there.has(name));
  await rename(path, join(folder, name));
}

/** Removes the oldest beyond `keep`; 0 keeps all. Other files in the folder are not touched. */
export async function removeOldest(path: string, keep: number): Promise<void> {
  if (keep === 0) return;
  const { folder, beginning, ending } = partsOf(path);
  const isBackup = (name: string) =>
    name.startsWith(beginning) &&
    name.endsWith(ending) &&
    stamp.test(name.slice(beginning.length, name.length - ending.length));
  const backups = (await readdir(folder)).filter(isBackup).sort();
  for (const name of backups.slice(0, Math.max(0, backups.length - keep))) await rm(join(folder, name));
}
