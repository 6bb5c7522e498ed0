/**
 * A stream that has ended keeps its connection and its slot until the client has read the rest, which a stalled client
 * never does. So it is cut off after a while (WATCH-7, LIMIT-2).
 */

import type { EventEmitter } from 'node:events';

export interface Ended {
  over: AbortSignal;
  /** Emits `close` once everything was read, or the client has disconnected. */
  answer: EventEmitter;
  cutOff(): void;
}

/** `after`: milliseconds since the end of the stream. */
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
