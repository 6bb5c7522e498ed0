/** A secret key in the data directory, made at the first start and kept, so that what it signs stays valid after a restart. */

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';

const length = 32;

export async function openSecretKey(path: string): Promise<Buffer> {
  const kept = Buffer.from((await readIfThere(path)) ?? '', 'base64');
  if (kept.length === length) return kept;
  const made = randomBytes(length);
  await makeFolder(dirname(path));
  await writePrivate(path, `${made.toString('base64')}\n`);
  return made;
}
