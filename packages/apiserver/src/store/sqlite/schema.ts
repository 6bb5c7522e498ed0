/**
 * The tables of the SQLite engine.
 *
 *   log      every write: its revision, key, value (null for a deletion), and the key's previous revision (null for a creation)
 *   current  the existing keys, with the revision of their value
 *   state    revision: of the last write, also when compaction has emptied the log
 *            compacted: older reads are refused; swept: up to which revision unreachable rows were removed from the log
 */

import type { DatabaseSync } from 'node:sqlite';
import { firstRevision } from '../object-store.ts';
import { StoreError } from '../store-error.ts';
import { pragma } from './pragma.ts';

/** Marks the file as ours: "flee". */
const applicationId = 0x666c6565;
const schemaVersion = 1;

const tables = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    value BLOB,
    previous INTEGER
  ) STRICT;
  CREATE INDEX log_by_key ON log (key, revision, deleted);
  CREATE TABLE current (key TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO state VALUES ('revision', ${firstRevision}), ('compacted', 0), ('swept', 0);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** Creates the tables in a new file; refuses a file of another program or of a newer version. */
export function prepareSchema(db: DatabaseSync): void {
  const version = pragma(db, 'user_version') as number;
  const mark = pragma(db, 'application_id');
  if (version === 0 && mark === 0) {
    db.exec(`BEGIN IMMEDIATE; ${tables} COMMIT;`);
    return;
  }
  if (mark !== applicationId) throw new StoreError('unreadable', 'the file is not a store of this product');
  if (version !== schemaVersion) {
    throw new StoreError('unreadable', `the store has schema ${version}, this version reads ${schemaVersion}`);
  }
}
