/** Karmada's definitions as its own chart installs them, out of the Go module that they are published in (Apache-2.0). */

import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { go } from '@fleet/bed/go.ts';
import { parse } from 'yaml';

/** Pinned: figures of other definitions are other figures. Go checks it against its checksum database. */
const module = 'github.com/karmada-io/karmada@v1.16.0';

export interface Definition {
  metadata: { name: string };
}

export async function karmadaDefinitions(): Promise<Definition[]> {
  const folder = await moduleFolder();
  const files = await Array.fromAsync(glob('charts/karmada/_crds/bases/*/*.yaml', { cwd: folder }));
  return Promise.all(files.sort().map(async (file) => parse(await readFile(join(folder, file), 'utf8')) as Definition));
}

/** A file of the module, by its path in there. */
export const karmadaFile = async (path: string): Promise<string> => readFile(join(await moduleFolder(), path), 'utf8');

async function moduleFolder(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'fleet-bench-karmada-'));
  try {
    return (JSON.parse(await go(['mod', 'download', '-json', module], { cwd })) as { Dir: string }).Dir;
  } finally {
    await rm(cwd, { recursive: true });
  }
}
