/** Forgets old history: at each turn what was before the turn before it, as kube-apiserver does every five minutes. */

import type { ObjectStore } from './object-store.ts';

export interface CompactionOptions {
  everyMillis?: number;
  onError(error: unknown): void;
}

export function startCompaction(store: ObjectStore, { everyMillis = 300_000, onError }: CompactionOptions): Disposable {
  let previous: number | undefined;
  const turn = async (): Promise<void> => {
    const now = await store.revision();
    // Nothing has been written since: nothing is old.
    if (previous !== undefined && previous < now) await store.compact(previous);
    previous = now;
  };
  const timer = setInterval(() => void turn().catch(onError), everyMillis);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
