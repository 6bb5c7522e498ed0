/** Returns unused pages of the file to the disk, a few at a time. */

import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { pragma } from './pragma.ts';
import { storeErrorOf } from './sqlite-fault.ts';

/** The value of `PRAGMA auto_vacuum` with which free pages can be removed from the end of the file. */
const incremental = 2;
/** Pages moved in one step: a few milliseconds, with writes in between. */
const step = 128;
/** 4 MiB always stay free for the next writes. */
const leastSpare = 1_024;

/** The disk: where warnings are logged, and its free space. */
export interface Disk {
  /** The free space in bytes. */
  freeBytes(): number;
  warn(text: string): void;
}

/**
 * Whether the file can shrink is decided when it is created, or by VACUUM. Files of earlier versions are vacuumed once, when they
 * are opened, as no writer waits then. That needs space for a second file, on this disk and on that of
 * temporary files. Without it the file is opened unchanged; the next start tries again.
 */
export function allowShrinking(db: DatabaseSync, disk: Disk): void {
  if (pragma(db, 'auto_vacuum') === incremental) return;
  const failure = faultOf(() => writeAnew(db, disk));
  // A failed VACUUM leaves its pages in the write-ahead log, which must not fill the disk.
  const rest = failure && faultOf(() => truncateLog(db));
  if (failure) disk.warn(`the file of the store was not vacuumed, so it cannot shrink: ${failure}`);
  if (rest) disk.warn(`the log of the store was not truncated: ${rest}`);
}

function writeAnew(db: DatabaseSync, { freeBytes }: Disk): void {
  // First checkpoints the log: with a second file in it, there might not be enough space for that.
  truncateLog(db);
  const needed = 2 * Number(pragma(db, 'page_count')) * Number(pragma(db, 'page_size'));
  const free = freeBytes();
  if (free <= needed) throw new Error(`this needs ${needed} bytes of disk space, and ${free} are free`);
  db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM;');
  truncateLog(db);
}

/** The error text, if it failed. Corruption is thrown. */
function faultOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    if (error instanceof StoreError && error.fault === 'unreadable') throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

export const usedBytes = (db: DatabaseSync): number =>
  (Number(pragma(db, 'page_count')) - Number(pragma(db, 'freelist_count'))) * Number(pragma(db, 'page_size'));

/** How many pages to remove from the file now: free pages in excess of the used ones, in steps. */
export function sparePages(db: DatabaseSync): number {
  const free = Number(pragma(db, 'freelist_count'));
  if (free <= leastSpare || pragma(db, 'auto_vacuum') !== incremental) return 0;
  const used = Number(pragma(db, 'page_count')) - free;
  return Math.max(0, Math.min(step, free - Math.max(used, leastSpare)));
}

export const takeOff = (db: DatabaseSync, pages: number): void => db.exec(`PRAGMA incremental_vacuum(${pages})`);

/** Checkpoints the write-ahead log: only then both files become shorter. */
export function truncateLog(db: DatabaseSync): void {
  db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
}
