import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { LocalStore } from '../local-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { create, remove, textOf, update } from '../testing/writing.ts';
import { SqliteEngine } from './sqlite-engine.ts';

const open = (directory: string, maxPages?: number) =>
  new LocalStore(new SqliteEngine({ directory, ...(maxPages ? { maxPages } : {}) }));

describe('CP-1: one file in the data directory', () => {
  const modesIn = (directory: string) =>
    Object.fromEntries(
      readdirSync(directory).map((file) => [file, (statSync(join(directory, file)).mode & 0o777).toString(8)]),
    );

  it('is for its owner alone, and so is its log', async () => {
    const directory = temporaryDirectory();
    await using store = open(directory);
    await create(store, '/a', 'one');
    expect(modesIn(directory)).toEqual({ 'store.db': '600', 'store.db-wal': '600' });
  });

  it('is again for its owner alone after others could read it', async () => {
    const [killed, directory] = [temporaryDirectory(), temporaryDirectory()];
    await using running = open(killed);
    await create(running, '/a', 'one');
    for (const file of readdirSync(killed)) {
      copyFileSync(join(killed, file), join(directory, file));
      chmodSync(join(directory, file), 0o644);
    }
    chmodSync(directory, 0o755);
    await using store = open(directory);
    expect(textOf((await store.get('/a')).entry)).toBe('one');
    expect(modesIn(directory)).toMatchObject({ 'store.db': '600', 'store.db-wal': '600' });
    expect(new Set(Object.values(modesIn(directory)))).toEqual(new Set(['600']));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('is locked for others in this process and in another, until it is closed', async () => {
    const directory = temporaryDirectory();
    const another = () =>
      spawnSync(process.execPath, [
        '--input-type=module',
        '--eval',
        `import { SqliteEngine } from ${JSON.stringify(import.meta.resolve('./sqlite-engine.ts'))};
         new SqliteEngine({ directory: ${JSON.stringify(directory)} });`,
      ]);
    const store = open(directory);
    const message = `the data directory ${directory} is in use by process ${process.pid}`;
    expect(() => open(directory)).toThrow(message);
    expect(another().stderr.toString()).toContain(message);
    await store[Symbol.asyncDispose]();
    expect(another().status).toBe(0);
  });

  it('of a newer version, of something else or damaged is refused', () => {
    const foreign = temporaryDirectory();
    new DatabaseSync(join(foreign, 'store.db')).exec('PRAGMA user_version = 1; CREATE TABLE t (a)');
    expect(() => open(foreign)).toThrow('not a store of this product');

    const newer = temporaryDirectory();
    new SqliteEngine({ directory: newer })[Symbol.dispose]();
    const db = new DatabaseSync(join(newer, 'store.db'));
    db.exec('PRAGMA user_version = 9');
    db.close();
    expect(() => open(newer)).toThrow('the store has schema 9, this version reads 1');

    const damaged = temporaryDirectory();
    writeFileSync(join(damaged, 'store.db'), 'x'.repeat(10_000));
    expect(() => open(damaged)).toThrow('the store is damaged');
  });
});

describe('a full disk', () => {
  it('refuses writes with a clear error, still reads and watches, and writes once there is space', async () => {
    await using store = open(temporaryDirectory(), 60);
    await create(store, '/a', 'x'.repeat(100_000));
    await expect(create(store, '/b', 'x'.repeat(200_000))).rejects.toMatchObject({
      fault: 'full',
      message: 'no space left on the disk of the data directory',
    });
    expect(textOf((await store.get('/a')).entry)).toHaveLength(100_000);
    expect((await store.range({ prefix: '/' })).revision).toBe(2);
    await using watch = store.watch('/', 1);
    expect((await watch[Symbol.asyncIterator]().next()).value.events).toHaveLength(1);
    await remove(store, '/a', 2);
    await store.compact(3);
    await expect.poll(() => create(store, '/b', 'x'.repeat(150_000)).catch(() => 'full')).toMatchObject({ done: true });
  });

  it('refuses what is too large for it, and none of the writes that came with it', async () => {
    await using store = open(temporaryDirectory(), 60);
    const settled = await Promise.allSettled([
      create(store, '/a', 'small'),
      create(store, '/b', 'x'.repeat(400_000)),
      create(store, '/c', 'small'),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.range({ prefix: '/' })).entries.map(({ key }) => key)).toEqual(['/a', '/c']);
  });
});

describe('compaction', () => {
  it('takes what cannot be read any more from the disk, also what an earlier process left', async () => {
    const directory = temporaryDirectory();
    const first = new SqliteEngine({ directory });
    const value = new Uint8Array(1_000);
    for (let revision = 1; revision <= 50; revision += 1) {
      first.commit([
        revision === 1 ? { op: 'create', key: '/a', value } : { op: 'update', key: '/a', value, ifRevision: revision },
      ]);
    }
    first.commit([{ op: 'create', key: '/b', value }]);
    first.commit([{ op: 'delete', key: '/b', ifRevision: 52 }]);
    first.compact(53);
    first[Symbol.dispose]();

    const store = open(directory);
    await update(store, '/a', 'after', 51);
    await store[Symbol.asyncDispose]();
    const db = new DatabaseSync(join(directory, 'store.db'), { readOnly: true });
    expect(
      db
        .prepare('SELECT revision FROM log ORDER BY revision')
        .all()
        .map(({ revision }) => revision),
    ).toEqual([51, 54]);
    db.close();
  });
});
