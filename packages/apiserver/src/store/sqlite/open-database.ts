/** Opens the store's file in its data directory, exclusively for this process, and so that commits survive power loss. */

import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { allowShrinking } from './free-space.ts';
import { lockHolder } from './lock-holder.ts';
import { prepareSchema } from './schema.ts';
import { storeErrorOf } from './sqlite-fault.ts';

export interface DatabaseOptions {
  directory: string;
  /** The maximum size in pages of 4 KiB, which simulates a full disk. */
  maxPages?: number;
  /** Receives warnings for the operator; by default they are written to standard error. */
  warn?(text: string): void;
  /** The free bytes on the disk of the directory. */
  freeBytes?(directory: string): number;
}

function freeBytesOn(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

export const warnOnStderr = (text: string): void => process.emitWarning(text, 'StoreWarning');

/** A new file is durable only when the directory's entry for it is. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Only for its owner, like the files in it. */
function closeToOthers(directory: string, warn: (text: string) => void): void {
  const mode = statSync(directory).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(directory, 0o700);
  } catch (thrown) {
    warn(
      `${directory} is open to others (mode ${mode.toString(8)}) and cannot be closed: ${(thrown as Error).message}`,
    );
  }
}

/** Created with its mode before it has content: SQLite gives the log the mode that the file has at that time. */
function makePrivate(file: string): void {
  // Never an existing file: closing it would release the lock of a store that this process has open.
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
  for (const one of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) if (existsSync(one)) chmodSync(one, 0o600);
}

export function openDatabase(options: DatabaseOptions): DatabaseSync {
  const { directory, maxPages, warn = warnOnStderr, freeBytes = freeBytesOn } = options;
  const made = mkdirSync(directory, { recursive: true, mode: 0o700 });
  closeToOthers(directory, warn);
  const file = join(directory, 'store.db');
  makePrivate(file);
  const db = new DatabaseSync(file);
  try {
    // Only has an effect on a new file, before anything is written.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL;');
    // Exclusive: the lock is the kernel's, so it ends with the process, however that ends. It is set before WAL, whose
    // index is then in memory and needs no third file.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
    db.exec('PRAGMA synchronous = FULL;');
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages};`);
    prepareSchema(db);
    // The first write transaction takes the lock.
    db.exec('BEGIN IMMEDIATE; COMMIT;');
    allowShrinking(db, { freeBytes: () => freeBytes(directory), warn });
    syncDirectory(directory);
    if (made !== undefined) syncDirectory(dirname(resolve(made)));
    return db;
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    const holder = error instanceof StoreError && error.fault === 'locked' ? lockHolder(file) : undefined;
    db.close();
    if (!(error instanceof StoreError) || error.fault !== 'locked') throw error;
    const by = holder === undefined ? 'another process' : `process ${holder}`;
    throw new StoreError('locked', `the data directory ${directory} is in use by ${by}`, { cause: thrown });
  }
}
