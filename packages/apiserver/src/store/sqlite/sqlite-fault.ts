/** Maps errors of SQLite to errors of the store. */

import { StoreError } from '../store-error.ts';

/** https://www.sqlite.org/rescode.html; the low byte is the primary code. */
const primary = { busy: 5, io: 10, corrupt: 11, full: 13, notADatabase: 26 } as const;

const codeOf = (thrown: unknown): number | undefined =>
  thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : undefined;

export function storeErrorOf(thrown: unknown): unknown {
  const code = codeOf(thrown);
  switch (code === undefined ? undefined : code & 0xff) {
    case primary.full:
      return new StoreError('full', 'no space left on the disk of the data directory', { cause: thrown });
    case primary.io:
      return new StoreError('broken', 'the disk of the data directory failed', { cause: thrown });
    case primary.busy:
      return new StoreError('locked', 'the data directory is in use by another process', { cause: thrown });
    case primary.corrupt:
    case primary.notADatabase:
      return new StoreError('unreadable', 'the store is damaged', { cause: thrown });
    default:
      return thrown;
  }
}
