/** Gives pages of the file that nothing uses any more back to the disk, a few at a time. */

import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { pragma } from './pragma.ts';
import { storeErrorOf } from './sqlite-fault.ts';

/** In `PRAGMA auto_vacuum`: free pages may be taken off the end of the file. */
const incremental = 2;
/** Pages moved in one step: a few milliseconds, so that writes get in between. */
const step = 128;
/** 4 MiB stay free in any case: the next writes need them. */
const leastSpare = 1_024;

/** Where warnings about the disk are logged, and how much space is free on it. */
export interface Disk {
  /** In bytes. */
  room(): number;
  warn(text: string): void;
}

/**
 * Whether the file can shrink is decided when it is made, or by writing it anew. Files of earlier versions are written anew
 * once, when they are opened: nobody waits for a write then. That needs room for a second file, on this disk and on that of
 * temporary files. Without it the file stays as it was, which is no reason not to open it; the next start tries again.
 */
export function allowShrinking(db: DatabaseSync, disk: Disk): void {
  if (pragma(db, 'auto_vacuum') === incremental) return;
  const failure = faultOf(() => writeAnew(db, disk));
  // What did not fit stands in the log, which must not keep the disk full.
  const rest = failure && faultOf(() => truncateLog(db));
  if (failure) disk.warn(`the file of the store was not written anew, so it cannot shrink: ${failure}`);
  if (rest) disk.warn(`the log of the store was not cut: ${rest}`);
}

function writeAnew(db: DatabaseSync, { room }: Disk): void {
  // First what is in the log already: behind a second file in it there might be no room for that.
  truncateLog(db);
  const needed = 2 * Number(pragma(db, 'page_count')) * Number(pragma(db, 'page_size'));
  const free = room();
  if (free <= needed) throw new Error(`that needs ${needed} bytes on its disk, of which ${free} are free`);
  db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM;');
  truncateLog(db);
}

/** Why it failed, if so. Damage is thrown. */
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

/** How many pages to take off the file now: what is free beyond as much again as is used, in steps. */
export function sparePages(db: DatabaseSync): number {
  const free = Number(pragma(db, 'freelist_count'));
  if (free <= leastSpare || pragma(db, 'auto_vacuum') !== incremental) return 0;
  const used = Number(pragma(db, 'page_count')) - free;
  return Math.max(0, Math.min(step, free - Math.max(used, leastSpare)));
}

export const takeOff = (db: DatabaseSync, pages: number): void => db.exec(`PRAGMA incremental_vacuum(${pages})`);

/** Writes into the file what stands in its write-ahead log: only then both are shorter. */
export function truncateLog(db: DatabaseSync): void {
  db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
}
