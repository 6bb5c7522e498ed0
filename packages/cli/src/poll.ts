/** Repeats a request until it has a result, or until a deadline. */

import { setTimeout as delay } from 'node:timers/promises';

interface PollOptions {
  deadline: number;
  signal?: AbortSignal | undefined;
  /** Asked once the deadline has passed. */
  late: () => Error;
}

const pause = 200;

/** Asks until there is an answer. */
export async function poll<T>(ask: () => Promise<T | undefined>, { deadline, signal, late }: PollOptions): Promise<T> {
  const end = Date.now() + deadline;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw late();
    // An interruption throws its own reason, at the top of the loop.
    await delay(pause, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  }
}
