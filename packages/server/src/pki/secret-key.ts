/** A secret of our own in the data directory, made on first start and kept, so that what it vouches for outlives a restart. */

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';

const length = 32;

export async function openSecretKey(path: string): Promise<Buffer> {
  const kept = Buffer.from((await readIfThere(path)) ?? '', 'base64');
  if (kept.length === length) return kept;
  const made = randomBytes(length);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writePrivate(path, `${made.toString('base64')}\n`);
  return made;
}
