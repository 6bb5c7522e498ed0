/** Schedules retries of feeds that did not fit into memory, at growing intervals (CACHE-18). */

import type { FeedId } from '@fleet/cache/messages.ts';

/** In milliseconds: how often full feeds are checked for a due retry. */
export const retryInterval = 10_000;
/** Feeds are retried while less than this share of the memory is used. Above it, they would hardly fit. */
export const retryBelow = 0.8;

/** In milliseconds. Long, as each retry reads the whole list from the member, and takes memory that other feeds may need. */
const [shortest, longest] = [20_000, 10 * 60_000];

interface Retry {
  /** The earliest time of the next retry. */
  at: number;
  wait: number;
}

export class FullRetries {
  private readonly now: () => number;
  private readonly retries = new Map<FeedId, Retry>();

  /** `now`: in milliseconds. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** If true, the caller retries now, and the next retry is scheduled. The first is due at once: the lack of memory may be over. */
  isDue(id: FeedId): boolean {
    const now = this.now();
    const { at, wait } = this.retries.get(id) ?? { at: now, wait: shortest };
    if (now < at) return false;
    this.retries.set(id, { at: now + wait, wait: Math.min(2 * wait, longest) });
    return true;
  }

  /** It fits, or is no longer registered. */
  forget(id: FeedId): void {
    this.retries.delete(id);
  }
}
