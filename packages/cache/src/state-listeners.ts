/** Pushes changed feed states to listeners, at most every 100 ms, so that ten thousand events do not cause ten thousand pushes. */

import type { FeedId, FeedState } from './messages.ts';

type Listener = (states: readonly FeedState[]) => void;

/** In milliseconds. */
const interval = 100;

export class StateListeners implements Disposable {
  private readonly all: () => FeedState[];
  private readonly listeners = new Set<Listener>();
  private readonly pending = new Map<FeedId, FeedState>();
  private timer: NodeJS.Timeout | undefined;

  constructor(all: () => FeedState[]) {
    this.all = all;
  }

  add(listener: Listener): () => void {
    this.listeners.add(listener);
    listener(this.all());
    return () => this.listeners.delete(listener);
  }

  changed(id: FeedId, state: FeedState): void {
    if (this.listeners.size === 0) return;
    this.pending.set(id, state);
    this.timer ??= setTimeout(() => this.flush(), interval).unref();
  }

  removed(id: FeedId): void {
    this.pending.delete(id);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.listeners.clear();
  }

  private flush(): void {
    this.timer = undefined;
    const states = [...this.pending.values()];
    this.pending.clear();
    for (const listener of this.listeners) listener(states);
  }
}
