import type { DatabaseSync } from 'node:sqlite';

/** What a pragma of SQLite says. */
export const pragma = (db: DatabaseSync, name: string): unknown =>
  Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
