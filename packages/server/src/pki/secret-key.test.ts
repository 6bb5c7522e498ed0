import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSecretKey } from './secret-key.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('PAGE-2: the key of continue tokens', () => {
  it('is made once, for us alone, and kept', async () => {
    const path = join(folder, 'data', 'page-tokens.key');
    const key = await openSecretKey(path);
    expect(key).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await openSecretKey(path)).toEqual(key);
    expect(await openSecretKey(join(folder, 'other.key'))).not.toEqual(key);
  });

  it('is made anew where its file was damaged', async () => {
    const path = join(folder, 'k');
    await writeFile(path, 'short');
    expect(await openSecretKey(path)).toHaveLength(32);
    expect(Buffer.from(await readFile(path, 'utf8'), 'base64')).toHaveLength(32);
  });
});
