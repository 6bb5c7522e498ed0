/** The value of a pragma of SQLite. */

import type { DatabaseSync } from 'node:sqlite';

export const pragma = (db: DatabaseSync, name: string): unknown =>
  Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
