/**
 * The messages between a store's thread and its users.
 *
 *   ask     one call of the store, answered once by `answer`
 *   watch   starts a watch; `batch` carries events, `taken` acknowledges one batch, `ended` ends it from either side
 */

import type { EventBatch, ObjectStore } from '../object-store.ts';
import { StoreError, type StoreFault } from '../store-error.ts';

/** The calls with one request and one response. */
export type Call = 'revision' | 'write' | 'get' | 'range' | 'compact';
export type Answered<Name extends Call> = Awaited<ReturnType<ObjectStore[Name]>>;

export type ToStore =
  | { kind: 'ask'; id: number; call: Call; args: unknown[] }
  | { kind: 'watch'; id: number; prefix: string; after: number }
  | { kind: 'progress'; id: number }
  | { kind: 'taken'; id: number }
  | { kind: 'leave'; id: number }
  | { kind: 'close' };

export type FromStore =
  /** A warning for the operator; only while the store is opened. */
  | { kind: 'warning'; text: string }
  | { kind: 'open' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; error: Fault }
  | { kind: 'batch'; id: number; batch: EventBatch }
  | { kind: 'ended'; id: number; error: Fault | undefined }
  | { kind: 'failed'; error: Fault };

export interface Fault {
  fault: StoreFault | undefined;
  message: string;
  limit: number | undefined;
}

/** Structured cloning drops the fields of errors. */
export const faultOf = (thrown: unknown): Fault => ({
  fault: thrown instanceof StoreError ? thrown.fault : undefined,
  message: thrown instanceof Error ? thrown.message : String(thrown),
  limit: thrown instanceof StoreError ? thrown.limit : undefined,
});

export const errorOf = ({ fault, message, limit }: Fault): Error =>
  fault ? new StoreError(fault, message, { limit }) : new Error(message);
