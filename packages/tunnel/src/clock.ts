/** A clock and its timers: the machine's, or one that a test advances by hand. The same interface as the client's clock. */

export interface Clock {
  /** Milliseconds since 1970. Monotonic, even if the machine's time is set back. */
  now(): number;
  /** Calls back once, unless disposed first. */
  timer(millis: number, call: () => void): Disposable;
}

export const machineClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  timer(millis, call) {
    const timer = setTimeout(call, millis);
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
