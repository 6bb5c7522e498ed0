import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { allowShrinking } from './free-space.ts';
import { pragma } from './pragma.ts';
import { prepareSchema } from './schema.ts';
import { SqliteEngine } from './sqlite-engine.ts';

const value = new Uint8Array(40_000).fill(7);
const plenty = Number.POSITIVE_INFINITY;

/** As created by earlier versions: it cannot shrink, and some of it is only in the write-ahead log. */
function oldFile(): { directory: string; db: DatabaseSync } {
  const directory = temporaryDirectory();
  const db = new DatabaseSync(join(directory, 'store.db'));
  db.exec('PRAGMA auto_vacuum = NONE; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
  db.exec('PRAGMA wal_autocheckpoint = 0;');
  prepareSchema(db);
  for (let revision = 2; revision < 50; revision += 1) {
    db.prepare('INSERT INTO log VALUES (?, ?, 0, ?, NULL)').run(revision, `/k/${revision}`, value);
    db.prepare('INSERT INTO current VALUES (?, ?)').run(`/k/${revision}`, revision);
  }
  db.exec("UPDATE state SET value = 49 WHERE name = 'revision'");
  return { directory, db };
}

const full = (): Error => Object.assign(new Error('database or disk is full'), { errcode: 13 });

/** A database on which some statements find the disk full. */
function fullFor(db: DatabaseSync, refused: (sql: string) => boolean) {
  const done: string[] = [];
  const doing = (sql: string): void => {
    done.push(sql);
    if (refused(sql)) throw full();
  };
  const wrapped = {
    exec: (sql: string) => {
      doing(sql);
      db.exec(sql);
    },
    prepare: (sql: string) => {
      doing(sql);
      return db.prepare(sql);
    },
  };
  return { wrapped: wrapped as unknown as DatabaseSync, done };
}

function opened(): DatabaseSync {
  const { db } = oldFile();
  onTestFinished(() => db.close());
  return db;
}

const vacuumsOf = (done: readonly string[]): string[] => done.filter((sql) => sql.includes('VACUUM;'));

describe('CP-1: the file of an earlier version', () => {
  it('is vacuumed if there is space for two', () => {
    const { directory, db } = oldFile();
    db.close();
    const warnings: string[] = [];
    {
      using engine = new SqliteEngine({ directory, warn: (text) => warnings.push(text) });
      expect(engine.revision).toBe(49);
    }
    expect(warnings).toEqual([]);
    using after = new DatabaseSync(join(directory, 'store.db'));
    expect(pragma(after, 'auto_vacuum')).toBe(2);
  });

  it('stays as it is without that space, is opened, and the reason is logged', () => {
    const { directory, db } = oldFile();
    db.close();
    const { size } = statSync(join(directory, 'store.db'));
    const warnings: string[] = [];
    const options = { directory, freeBytes: () => 2 * size, warn: (text: string) => warnings.push(text) };
    {
      using engine = new SqliteEngine(options);
      expect(engine.revision).toBe(49);
      engine.commit([{ op: 'create', key: '/k/new', value }]);
    }
    expect(warnings).toEqual([expect.stringContaining(`needs ${2 * size} bytes of disk space, and ${2 * size} are`)]);
    using after = new DatabaseSync(join(directory, 'store.db'));
    expect(pragma(after, 'auto_vacuum')).toBe(0);
  });

  it('whose log does not fit into it is not written anew', () => {
    const db = opened();
    const warnings: string[] = [];
    const { wrapped, done } = fullFor(db, (sql) => sql.includes('wal_checkpoint'));
    allowShrinking(wrapped, { freeBytes: () => plenty, warn: (text) => warnings.push(text) });
    expect(vacuumsOf(done)).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('no space left'), expect.stringContaining('no space left')]);
  });

  it('that does not fit while it is written stays as it is, and the log gives the disk back', () => {
    const db = opened();
    const warnings: string[] = [];
    const { wrapped, done } = fullFor(db, (sql) => sql.includes('VACUUM;'));
    allowShrinking(wrapped, { freeBytes: () => plenty, warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining('no space left on the disk')]);
    expect(vacuumsOf(done)).toHaveLength(1);
    const checkpoint = 'PRAGMA wal_checkpoint(TRUNCATE)';
    const before = done.indexOf(checkpoint);
    expect([before, done.lastIndexOf(checkpoint)]).toEqual([expect.any(Number), done.length - 1]);
    expect(before).toBeLessThan(done.findIndex((sql) => sql.includes('VACUUM;')));
  });

  it('that is damaged is not opened', () => {
    const db = opened();
    const { wrapped } = fullFor(db, () => false);
    wrapped.exec = () => {
      throw Object.assign(new Error('malformed'), { errcode: 11 });
    };
    const warn = () => undefined;
    expect(() => allowShrinking(wrapped, { freeBytes: () => plenty, warn })).toThrow('the store is damaged');
  });
});
