/** For tests: a watch that ends with an error, like one that falls too far behind. */

import type { EventBatch, StoreWatch } from '../object-store.ts';

/** The batches of a watch, until `broken` rejects. */
export async function* untilBroken(watch: StoreWatch, broken: Promise<never>): AsyncGenerator<EventBatch> {
  const batches = watch[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([batches.next(), broken]);
    if (done) return;
    yield value;
  }
}
