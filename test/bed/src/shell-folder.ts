import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { kubectlPath } from './binaries.ts';
import { fleetCommand } from './product.ts';

/** A folder for the PATH with `kubectl` and `fleet` and nothing else, so that lines for people can be short. */
export async function shellFolder(parent: string): Promise<string> {
  const folder = join(parent, 'bin');
  await mkdir(folder);
  await Promise.all([
    symlink(kubectlPath('newest'), join(folder, 'kubectl')),
    symlink(fleetCommand, join(folder, 'fleet')),
    // the one that runs this: the command's first line asks for `node`
    symlink(process.execPath, join(folder, 'node')),
  ]);
  return folder;
}
