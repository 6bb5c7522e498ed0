import { setTimeout as pause } from 'node:timers/promises';

export interface UntilOptions {
  /** Ends the wait early, with this error. */
  failed?: Promise<Error>;
  timeout?: number;
  /** How long between two tries. */
  every?: number;
}

/** Asks again until the condition answers something true; an error of the last try becomes the cause. */
export async function until<T>(
  what: string,
  condition: () => Promise<T | false | undefined> | T | false | undefined,
  { failed, timeout = 60_000, every = 25 }: UntilOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeout;
  let failure: Error | undefined;
  failed?.then((error) => {
    failure = error;
  });
  for (let cause: unknown; ; await pause(every)) {
    if (failure) throw failure;
    if (Date.now() > deadline) throw new Error(`not within ${timeout} ms: ${what}`, { cause });
    try {
      const answer = await condition();
      if (answer) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
  }
}
