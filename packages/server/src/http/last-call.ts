/**
 * A stream that has ended keeps its connection, and what is under way, until the client has taken it, which one that does not
 * read never does: then it is cut off (WATCH-7, LIMIT-2).
 */

import type { EventEmitter } from 'node:events';

export interface Ended {
  over: AbortSignal;
  /** Tells by `close` that all was taken, or nobody is left to take it. */
  answer: EventEmitter;
  cutOff(): void;
}

/** `after`: milliseconds since it was over. */
export function cutOffLate({ over, answer, cutOff }: Ended, after: number): void {
  let timer: NodeJS.Timeout | undefined;
  const lastCall = () => {
    timer = setTimeout(cutOff, after).unref();
  };
  if (over.aborted) lastCall();
  else over.addEventListener('abort', lastCall, { once: true });
  answer.once('close', () => {
    clearTimeout(timer);
    over.removeEventListener('abort', lastCall);
  });
}
