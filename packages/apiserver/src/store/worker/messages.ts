/**
 * What a store's thread and its users say to each other.
 *
 *   ask     one call of the store, answered once by `answer`
 *   watch   begins a watch; `batch` brings events, `taken` says that one was used up, `ended` ends it from either side
 */

import type { EventBatch, ObjectStore } from '../object-store.ts';
import { StoreError, type StoreFault } from '../store-error.ts';

/** The calls that are one question and one answer. */
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
  /** What an operator should know; only while it opens. */
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

/** Structured cloning keeps no fields of errors. */
export const faultOf = (thrown: unknown): Fault => ({
  fault: thrown instanceof StoreError ? thrown.fault : undefined,
  message: thrown instanceof Error ? thrown.message : String(thrown),
  limit: thrown instanceof StoreError ? thrown.limit : undefined,
});

export const errorOf = ({ fault, message, limit }: Fault): Error =>
  fault ? new StoreError(fault, message, { limit }) : new Error(message);
