/** Limits how many resources of one member are learnt at once: a large registry would otherwise send all requests together (CACHE-5). */

import type { ClusterName } from '../target/target.ts';

interface Queue {
  busy: number;
  waiting: Set<() => void>;
}

export class LearnGate {
  private readonly most: number;
  private readonly queues = new Map<ClusterName, Queue>();

  constructor(most = 4) {
    this.most = most;
  }

  /** First come, first served. The result is disposed of when done. Rejects when the signal aborts. */
  async enter(member: ClusterName, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const queue = this.queues.get(member) ?? { busy: 0, waiting: new Set() };
    this.queues.set(member, queue);
    if (queue.busy >= this.most) await waitForSlot(queue, signal);
    else queue.busy++;
    return { [Symbol.dispose]: () => this.leave(member, queue) };
  }

  /** Hands the slot to the next waiter directly, so that a newcomer cannot overtake it. */
  private leave(member: ClusterName, queue: Queue): void {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next();
    } else if (--queue.busy === 0) {
      this.queues.delete(member);
    }
  }
}

async function waitForSlot({ waiting }: Queue, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // If the slot was handed over before the abort, the caller has it, and disposes of it as usual.
  const gone = () => {
    if (waiting.delete(resolve)) reject(signal.reason);
  };
  signal.addEventListener('abort', gone, { once: true });
  waiting.add(resolve);
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', gone);
  }
}
