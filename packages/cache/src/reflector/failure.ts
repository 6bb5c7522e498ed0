/** Classifies an error of a reflector: which phase it enters, whether the watch can resume, and when to try again. */

import { MemoryTakenError } from '@fleet/kube/answer-memory.ts';
import { TooLargeError } from '@fleet/kube/growing-bytes.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { CacheFullError } from '../feed-writer.ts';
import { BusyMemberError } from './member-requests.ts';
import type { Phase } from './reflector-state.ts';
import { WentBackError } from './silence-check.ts';

export interface Failure {
  /** Undefined: the phase stays as it is, and the next attempt decides. */
  phase: Phase | undefined;
  reason: string;
  mustList: boolean;
  /** In milliseconds before the next attempt, in addition to the backoff. */
  pause?: number;
  /** Part of normal operation: not logged. */
  isExpected?: boolean;
}

/** The columns changed: all rows have to be listed again, so that their cells match. */
export class ColumnsChangedError extends Error {
  override readonly name = 'ColumnsChangedError';
  override message = 'the columns of its Tables have changed';
}

/** In milliseconds. Long, as a resource seldom becomes available: nothing reports changes of discovery or grants to the reflector. */
const notServedPause = 30_000;
/** Whoever frees memory calls `wake`; a timer would only try in vain. */
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
  if (isGarbage(error)) return { phase: 'failing', reason: `responses cannot be parsed: ${reason}`, mustList: false };
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

/** With the cause of a connection error. */
function causeOf(error: unknown, reason: string): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? `${reason}: ${cause.message}` : reason;
}
