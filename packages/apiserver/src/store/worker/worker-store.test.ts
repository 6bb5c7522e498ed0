import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openLocal } from '../open-local.ts';
import { pragma } from '../sqlite/pragma.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { WorkerStore } from './worker-store.ts';

/** In the format of earlier versions, with so many pages. */
async function oldFile(directory: string): Promise<number> {
  await openLocal({ directory, encryptedPrefixes: [] })[Symbol.asyncDispose]();
  using db = new DatabaseSync(join(directory, 'store.db'));
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM;');
  return Number(pragma(db, 'page_count'));
}

it('CP-1: warnings of the thread while it opens are logged, and it is open', async () => {
  const directory = temporaryDirectory();
  // A file that can shrink has one page more, for which there is no space.
  const maxPages = await oldFile(directory);
  const warnings: string[] = [];
  const warn = (text: string) => warnings.push(text);
  await using store = await WorkerStore.open({ directory, encryptedPrefixes: [], maxPages, warn });
  expect(warnings).toEqual([expect.stringContaining('the file of the store was not vacuumed')]);
  expect(await store.revision()).toBeGreaterThan(0);
});
