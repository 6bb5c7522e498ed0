/** Time as those who wait see it: the machine's own, or one that a test moves by hand. */

import { timerMillis } from '@fleet/kube/timer-millis.ts';

export interface Clock {
  /** Milliseconds since 1970. Never goes back, also where the machine's time is set. */
  now(): number;
  /** Calls back once, unless it is disposed of before. */
  timer(millis: number, call: () => void): Disposable;
}

export const machineClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  timer(millis, call) {
    const timer = setTimeout(call, timerMillis(millis));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Rejects with the signal's reason when that aborts. */
export async function sleep(clock: Clock, millis: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const aborted = () => reject(signal.reason);
  using _timer = clock.timer(millis, resolve);
  signal.addEventListener('abort', aborted, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}

export interface Deadline extends Disposable {
  /** Aborts with the parent, too. */
  signal: AbortSignal;
  readonly isOver: boolean;
}

/** Aborts after so long, unless it is disposed of before. */
export function deadlineOf(clock: Clock, millis: number, parent: AbortSignal): Deadline {
  const late = new AbortController();
  const timer = clock.timer(millis, () => late.abort(new Error(`nothing came within ${millis} ms`)));
  return {
    signal: AbortSignal.any([parent, late.signal]),
    get isOver() {
      return late.signal.aborted;
    },
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  };
}
