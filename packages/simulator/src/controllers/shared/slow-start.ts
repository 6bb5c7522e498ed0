/** Runs the same call many times: first once, then in batches that double, so that a persistent error occurs only a few times. */

const firstBatch = 1;

/** Rejects with the first error, after its batch is complete. */
export async function slowStart(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let done = 0;
  for (let batch = Math.min(count, firstBatch); batch > 0; batch = Math.min(2 * batch, count - done)) {
    const from = done;
    const outcomes = await Promise.allSettled(Array.from({ length: batch }, (_, index) => act(from + index)));
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    done += batch;
  }
}
