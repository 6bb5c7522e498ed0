/** Reads the value of an SQLite pragma. */

import type { DatabaseSync } from 'node:sqlite';

export const pragma = (db: DatabaseSync, name: string): unknown =>
  Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
