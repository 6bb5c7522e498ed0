/** `mkdir -p` for every file system: Node's own never returns where creating a folder fails with ENOENT, as in /proc. */

import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
      // Another process made it in the meantime.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
