/** Forgets old history: at each turn what was before the turn before it, as kube-apiserver does every five minutes. */

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
    // Nothing has been written since: nothing is old.
    if (old === undefined || old === now) return;
    await store.compact(old).catch((error: unknown) => {
      // By its size, more of the history is gone already.
      if (!(error instanceof StoreError && error.fault === 'compacted')) throw error;
    });
  };
  const timer = setInterval(() => void turn().catch(onError), everyMillis);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
