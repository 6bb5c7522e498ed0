import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalStore } from '../local-store.ts';
import { openLocal } from '../open-local.ts';
import { SqliteEngine } from '../sqlite/sqlite-engine.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { create, text, textOf, update } from '../testing/writing.ts';

const open = (directory: string) => openLocal({ directory, encryptedPrefixes: ['/secrets/'] });
const onDisk = (directory: string): string =>
  readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('');
const keyFile = (directory: string): string => join(directory, 'encryption.keys');
const newKey = (name: string): string => `${name}:${randomBytes(32).toString('base64')}\n`;

describe('CP-6: Secrets are encrypted at rest', () => {
  it('none of their text is on disk, that of others is', async () => {
    const directory = temporaryDirectory();
    await using store = open(directory);
    await create(store, '/secrets/a', 'a hidden password');
    await create(store, '/configmaps/a', 'an open setting');
    expect(onDisk(directory)).toContain('an open setting');
    expect(onDisk(directory)).not.toContain('hidden');
    expect(textOf((await store.get('/secrets/a')).entry)).toBe('a hidden password');
  });

  it('the key file is made for its owner alone, and refused if others may read it', async () => {
    const directory = temporaryDirectory();
    await open(directory)[Symbol.asyncDispose]();
    expect(statSync(keyFile(directory)).mode & 0o777).toBe(0o600);
    chmodSync(keyFile(directory), 0o640);
    expect(() => open(directory)).toThrow('may be read by others (mode 640): set it to 600');
    // A refused open leaves no lock.
    chmodSync(keyFile(directory), 0o600);
    await open(directory)[Symbol.asyncDispose]();
  });

  it('a key is rotated by putting a new one on top; what the old one wrote is stale until it is written again', async () => {
    const directory = temporaryDirectory();
    const before = open(directory);
    await create(before, '/secrets/a', 'one');
    await before[Symbol.asyncDispose]();

    const old = readFileSync(keyFile(directory), 'utf8');
    writeFileSync(keyFile(directory), newKey('second') + old);
    const during = open(directory);
    expect((await during.get('/secrets/a')).entry).toEqual({
      key: '/secrets/a',
      value: Buffer.from('one'),
      revision: 2,
      stale: true,
    });
    await update(during, '/secrets/a', 'one', 2);
    expect((await during.get('/secrets/a')).entry).not.toHaveProperty('stale');
    await during[Symbol.asyncDispose]();

    writeFileSync(keyFile(directory), readFileSync(keyFile(directory), 'utf8').replace(old, ''));
    await using after = open(directory);
    expect(textOf((await after.get('/secrets/a')).entry)).toBe('one');
  });

  it('a value without its key, moved, changed or not encrypted is refused, not served', async () => {
    const directory = temporaryDirectory();
    const store = open(directory);
    await create(store, '/secrets/a', 'one');
    await store[Symbol.asyncDispose]();

    const raw = new LocalStore(new SqliteEngine({ directory }));
    const sealed = (await raw.get('/secrets/a')).entry!.value;
    await raw.write({ op: 'create', key: '/secrets/moved', value: sealed });
    await raw.write({
      op: 'create',
      key: '/secrets/changed',
      value: Buffer.concat([sealed.subarray(0, -1), text('!')]),
    });
    await raw.write({ op: 'create', key: '/secrets/plain', value: text('one') });
    await raw.write({ op: 'create', key: '/secrets/short', value: sealed.subarray(0, 25) });
    await raw[Symbol.asyncDispose]();

    const again = open(directory);
    for (const name of ['moved', 'changed', 'plain', 'short']) {
      await expect(again.get(`/secrets/${name}`)).rejects.toMatchObject({ fault: 'unreadable' });
    }
    await again[Symbol.asyncDispose]();

    writeFileSync(keyFile(directory), newKey('other'));
    await using without = open(directory);
    await expect(without.get('/secrets/a')).rejects.toThrow(
      'encrypted with the key key1, which is not in the key file',
    );
  });

  it('a lost key file is no reason for a new key beside values that it would not open: refused until it is back', async () => {
    const directory = temporaryDirectory();
    const before = open(directory);
    await create(before, '/secrets/a', 'one');
    await before[Symbol.asyncDispose]();
    const aside = join(temporaryDirectory(), 'aside');
    renameSync(keyFile(directory), aside);
    expect(() => open(directory)).toThrow(`${keyFile(directory)} is missing`);
    expect(() => open(directory)).toThrow('from a backup');
    expect(existsSync(keyFile(directory))).toBe(false);
    // A refused open leaves no lock.
    renameSync(aside, keyFile(directory));
    await using after = open(directory);
    expect(textOf((await after.get('/secrets/a')).entry)).toBe('one');
  });

  it('without encrypted values a lost key file is made again', async () => {
    const directory = temporaryDirectory();
    const before = open(directory);
    await create(before, '/configmaps/a', 'one');
    await before[Symbol.asyncDispose]();
    rmSync(keyFile(directory));
    await using after = open(directory);
    await create(after, '/secrets/a', 'two');
    expect(textOf((await after.get('/secrets/a')).entry)).toBe('two');
  });

  it.each([
    ['', 'has no key'],
    ['key1:dG9vIHNob3J0\n', 'not a name and 32 bytes in base64'],
    [`${newKey('a')}${newKey('a')}`, 'two keys are named a'],
  ])('the key file %j is refused', (content, message) => {
    const directory = temporaryDirectory();
    writeFileSync(keyFile(directory), content, { mode: 0o600 });
    expect(() => open(directory)).toThrow(message);
  });
});
