/** Compacts history older than the previous run, as kube-apiserver does every five minutes. */

import type { ObjectStore } from './object-store.ts';
import { StoreError } from './store-error.ts';

export interface CompactionOptions {
  everyMillis?: number;
  onError(error: unknown): void;
}

export function startCompaction(
  store: Pick<ObjectStore, 'revision' | 'compact'>,
  { everyMillis = 300_000, onError }: CompactionOptions,
): Disposable {
  let previous: number | undefined;
  const turn = async (): Promise<void> => {
    const now = await store.revision();
    const old = previous;
    previous = now;
    // Nothing was written since: there is nothing to compact.
    if (old === undefined || old === now) return;
    await store.compact(old).catch((error: unknown) => {
      // The size limit has compacted more of the history already.
      if (!(error instanceof StoreError && error.fault === 'compacted')) throw error;
    });
  };
  const timer = setInterval(() => void turn().catch(onError), everyMillis);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
