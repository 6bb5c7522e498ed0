/** What a reflector makes of an error: how it is reported, whether the watch can resume, and when to try again. */

import { MemoryTakenError } from '@fleet/kube/answer-memory.ts';
import { TooLargeError } from '@fleet/kube/growing-bytes.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { CacheFullError } from '../feed-writer.ts';
import { BusyMemberError } from './member-requests.ts';
import type { Phase } from './reflector-state.ts';
import { WentBackError } from './silence-check.ts';

export interface Failure {
  /** Undefined where the next attempt says more. */
  phase: Phase | undefined;
  reason: string;
  mustList: boolean;
  /** Before the next attempt, in milliseconds, beside the backoff. */
  pause?: number;
  /** Part of a member's life: not to be logged. */
  isExpected?: boolean;
}

/** Stored rows are of other columns than those that follow: all have to be listed anew, so that cells match their columns. */
export class ColumnsChangedError extends Error {
  override readonly name = 'ColumnsChangedError';
  override message = 'the columns of its Tables have changed';
}

/** In milliseconds. Discovery or a new grant wakes the reflector; this is for members where nobody notices. */
const notServedPause = 30_000;
/** Somebody frees memory and says so; no timer knows. */
const untilWoken = 2 ** 31 - 1;

const isGarbage = (error: unknown): boolean =>
  error instanceof TooLargeError || error instanceof JsonBytesError || error instanceof SyntaxError;

export function failureOf(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof CacheFullError) return { phase: 'full', reason, mustList: false, pause: untilWoken };
  if (error instanceof ColumnsChangedError) return { phase: undefined, reason, mustList: true, isExpected: true };
  if (error instanceof WentBackError) return { phase: undefined, reason, mustList: true };
  if (error instanceof BusyMemberError) {
    return { phase: 'unreachable', reason: 'answered 429', mustList: false, pause: error.retryAfter };
  }
  if (error instanceof StatusError) return failureOfStatus(error);
  if (isGarbage(error)) return { phase: 'failing', reason: `answers cannot be read: ${reason}`, mustList: false };
  const why = error instanceof MemoryTakenError ? 'too many large objects are being read' : causeOf(error, reason);
  return { phase: 'unreachable', reason: why, mustList: false };
}

function failureOfStatus({ code, message }: StatusError): Failure {
  switch (code) {
    case 410:
      return { phase: undefined, reason: message, mustList: true, isExpected: true };
    case 404:
    case 405:
      return { phase: 'absent', reason: message, mustList: true, pause: notServedPause, isExpected: true };
    case 403:
      return { phase: 'refused', reason: message, mustList: false, pause: notServedPause };
    default:
      return { phase: 'unreachable', reason: `answered ${code}: ${message}`, mustList: false };
  }
}

/** What lies beneath "cannot connect". */
function causeOf(error: unknown, reason: string): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? `${reason}: ${cause.message}` : reason;
}
