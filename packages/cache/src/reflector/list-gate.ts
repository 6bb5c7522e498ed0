/**
 * Limits concurrent lists: a few per process and one per member (CACHE-5). A list that makes no progress stops counting against the
 * limit, so that a hanging member does not delay the lists of others.
 */

import type { Clock } from '@fleet/client/clock.ts';

export interface ListSlot extends Disposable {
  /** A page has come. */
  progress(): void;
}

export interface ListGateOptions {
  clock: Clock;
  /** Lists at once. */
  most?: number;
}

/** In milliseconds. A list stops counting after this long without a page, or after this long in total. */
const [stalledAfter, countsFor] = [5_000, 60_000];

interface Waiter {
  member: string;
  admitted(): void;
}

export class ListGate {
  private readonly clock: Clock;
  private readonly most: number;
  private counted = 0;
  private readonly busy = new Set<string>();
  private readonly waiting = new Set<Waiter>();

  constructor({ clock, most = 4 }: ListGateOptions) {
    this.clock = clock;
    this.most = most;
  }

  /** First come, first served, except that a member with a list under way is passed over. Rejects when the signal aborts. */
  async enter(member: string, signal: AbortSignal): Promise<ListSlot> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ListSlot>();
    const waiter: Waiter = { member, admitted: () => resolve(this.take(member)) };
    const gone = () => {
      if (this.waiting.delete(waiter)) reject(signal.reason);
    };
    signal.addEventListener('abort', gone, { once: true });
    this.waiting.add(waiter);
    this.serve();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', gone);
    }
  }

  private serve(): void {
    for (const waiter of this.waiting) {
      if (this.counted >= this.most) return;
      if (this.busy.has(waiter.member)) continue;
      this.waiting.delete(waiter);
      waiter.admitted();
    }
  }

  private take(member: string): ListSlot {
    const began = this.clock.now();
    let isCounted = true;
    let timer: Disposable | undefined;
    const stopCounting = () => {
      timer?.[Symbol.dispose]();
      if (!isCounted) return;
      isCounted = false;
      this.counted--;
      this.serve();
    };
    const timeLeft = () => Math.max(Math.min(stalledAfter, began + countsFor - this.clock.now()), 0);
    const wait = () => {
      timer?.[Symbol.dispose]();
      timer = isCounted ? this.clock.timer(timeLeft(), stopCounting) : undefined;
    };
    this.counted++;
    this.busy.add(member);
    wait();
    return {
      progress: wait,
      [Symbol.dispose]: () => {
        this.busy.delete(member);
        stopCounting();
        this.serve();
      },
    };
  }
}
