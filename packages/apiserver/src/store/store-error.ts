/** The errors of a store. The caller decides what clients see. */

export type StoreFault =
  /** The revision was compacted. */
  | 'compacted'
  /** The revision does not exist yet. */
  | 'future'
  /** The disk is full: nothing was written, reads still work. */
  | 'full'
  /** The disk failed during a write: whether it was written is unknown, further writes are refused, reads still work. */
  | 'broken'
  /** Another process has the data directory open. */
  | 'locked'
  /** The data cannot be read: of another program, of a newer version, damaged, or its key is missing. */
  | 'unreadable'
  | 'closed';

export interface StoreErrorOptions extends ErrorOptions {
  limit?: number | undefined;
}

export class StoreError extends Error {
  readonly fault: StoreFault;
  /** The oldest available revision, or the newest one if a later one was requested. */
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
  new StoreError('future', `revision ${asked} does not exist yet, the newest is ${current}`, { limit: current });

export const closed = (): StoreError => new StoreError('closed', 'the store is closed');
