/** Runs work for many items with limited concurrency. */

/** How many are worked on at a time: more of them only wait for each other. */
const atOnce = 8;

/** Does the work for each, some at a time. What fails is thrown once nothing is under way any more. */
export async function concurrently<T>(
  list: readonly T[],
  signal: AbortSignal,
  work: (one: T) => Promise<void>,
  onDone?: (count: number) => void,
): Promise<void> {
  const queue = [...list];
  let done = 0;
  const worker = async () => {
    while (queue.length > 0) {
      signal.throwIfAborted();
      await work(queue.shift() as T).catch((error: unknown) => {
        queue.length = 0;
        throw error;
      });
      done += 1;
      onDone?.(done);
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
}
