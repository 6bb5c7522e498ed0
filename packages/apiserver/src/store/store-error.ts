/** What a store refuses, or cannot do. What a client reads about it is up to those who ask. */

export type StoreFault =
  /** The revision lies before what is kept. */
  | 'compacted'
  /** The revision is not there yet. */
  | 'future'
  /** No room on the disk: nothing was written, reads go on. */
  | 'full'
  /** The disk did not take a write: whether it is there is unknown, nothing more is written, reads go on. */
  | 'broken'
  /** Somebody else has the data directory. */
  | 'locked'
  /** The data cannot be read: not ours, from a newer version, damaged, or its key is missing. */
  | 'unreadable'
  | 'closed';

export interface StoreErrorOptions extends ErrorOptions {
  limit?: number | undefined;
}

export class StoreError extends Error {
  readonly fault: StoreFault;
  /** The oldest revision that is kept, or the newest there is, where one beyond was asked for. */
  readonly limit: number | undefined;

  constructor(fault: StoreFault, message: string, options?: StoreErrorOptions) {
    super(message, options);
    this.fault = fault;
    this.limit = options?.limit;
  }
}

export const compacted = (asked: number, kept: number): StoreError =>
  new StoreError('compacted', `revision ${asked} has been compacted, the oldest that is kept is ${kept}`, {
    limit: kept,
  });

export const future = (asked: number, current: number): StoreError =>
  new StoreError('future', `revision ${asked} is not there yet, the newest is ${current}`, { limit: current });

export const closed = (): StoreError => new StoreError('closed', 'the store is closed');
