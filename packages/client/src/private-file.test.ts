import { mkdtemp, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writePrivate } from './private-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-private-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('AUTHN-3: a file that only its owner may read', () => {
  it('is not written into what somebody else has open', async () => {
    const path = join(folder, 'key');
    await writeFile(`${path}.new`, '', { mode: 0o666 });
    await using theirs = await open(`${path}.new`, 'r');
    await writePrivate(path, 'secret');
    expect(await readFile(path, 'utf8')).toBe('secret');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await theirs.readFile('utf8')).toBe('');
  });

  it('is not written through a link', async () => {
    const path = join(folder, 'key');
    await writeFile(join(folder, 'other'), 'theirs');
    await symlink(join(folder, 'other'), `${path}.new`);
    await writePrivate(path, 'secret');
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('theirs');
    expect(await readFile(path, 'utf8')).toBe('secret');
  });
});
