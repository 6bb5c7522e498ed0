/** A clock and its timers: the machine's, or one that a test advances by hand. */

import { timerMillis } from '@fleet/kube/timer-millis.ts';

export interface Clock {
  /** Milliseconds since 1970. Monotonic, even if the machine's time is set back. */
  now(): number;
  /** Calls back once, unless disposed first. */
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

/** Aborts after `millis`, unless disposed first. */
export function deadlineOf(clock: Clock, millis: number, parent: AbortSignal): Deadline {
  const late = new AbortController();
  const timer = clock.timer(millis, () => late.abort(new Error(`no response within ${millis} ms`)));
  return {
    signal: AbortSignal.any([parent, late.signal]),
    get isOver() {
      return late.signal.aborted;
    },
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  };
}
