/** The SQL of the engine, as prepared statements. */

import type { DatabaseSync } from 'node:sqlite';

/** Keys from `:from` to before `:end`. An empty `:end` means no end. */
const within = "key >= :from AND (:end = '' OR key < :end) AND key > :after";

/** The revision of each key at a revision, without values: answered by the index alone. */
const keysAt = `
  SELECT key, revision FROM (
    SELECT key, max(revision) AS revision, deleted FROM log WHERE ${within} AND revision <= :revision GROUP BY key
  ) WHERE deleted = 0`;

export const prepareStatements = (db: DatabaseSync) => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
  rollback: db.prepare('ROLLBACK'),
  state: db.prepare('SELECT value FROM state WHERE name = ?'),
  setState: db.prepare('UPDATE state SET value = ? WHERE name = ?'),

  revisionOf: db.prepare('SELECT revision FROM current WHERE key = ?'),
  append: db.prepare('INSERT INTO log (revision, key, deleted, value, previous) VALUES (?, ?, ?, ?, ?)'),
  keep: db.prepare('INSERT INTO current VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET revision = ?2'),
  drop: db.prepare('DELETE FROM current WHERE key = ?'),

  valueAt: db.prepare('SELECT value FROM log WHERE revision = ?'),
  rangeNow: db.prepare(`
    SELECT key, revision, value FROM (SELECT key, revision FROM current WHERE ${within} ORDER BY key LIMIT :limit)
    JOIN log USING (key, revision) ORDER BY key`),
  rangeAt: db.prepare(`
    SELECT key, revision, value FROM (${keysAt} ORDER BY key LIMIT :limit) JOIN log USING (key, revision) ORDER BY key`),
  countNow: db.prepare(`SELECT count(*) AS count FROM current WHERE ${within}`),
  countAt: db.prepare(`SELECT count(*) AS count FROM (${keysAt})`),

  changes: db.prepare(`
    SELECT now.key, now.revision, now.value, before.value AS previous
    FROM log AS now LEFT JOIN log AS before ON before.revision = now.previous
    WHERE now.revision > :revision AND now.key >= :from AND (:end = '' OR now.key < :end)
    ORDER BY now.revision LIMIT :limit`),

  // Few revisions are newer: the plus makes SQLite search those instead of all keys.
  changedAfter: db.prepare(`
    SELECT 1 FROM log WHERE revision > :revision AND +key >= :from AND (:end = '' OR +key < :end) LIMIT 1`),

  countAll: db.prepare('SELECT count(*) AS count FROM current'),

  toSweep: db.prepare('SELECT revision, deleted, previous FROM log WHERE revision > ? AND revision <= ? LIMIT ?'),
  forget: db.prepare('DELETE FROM log WHERE revision = ?'),
});

export type Statements = ReturnType<typeof prepareStatements>;
