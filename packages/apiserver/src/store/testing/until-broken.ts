import type { EventBatch, StoreWatch } from '../object-store.ts';

/** The batches of a watch, until `broken` rejects: as watches end that fall too far behind. */
export async function* untilBroken(watch: StoreWatch, broken: Promise<never>): AsyncGenerator<EventBatch> {
  const batches = watch[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([batches.next(), broken]);
    if (done) return;
    yield value;
  }
}
