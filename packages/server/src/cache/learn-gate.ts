/** How many resources of one member are learnt at once: those of a large registry would all ask it in the same moment (CACHE-5). */

import type { ClusterName } from '../target/target.ts';

interface Line {
  busy: number;
  waiting: Set<() => void>;
}

export class LearnGate {
  private readonly most: number;
  private readonly lines = new Map<ClusterName, Line>();

  constructor(most = 4) {
    this.most = most;
  }

  /** In the order in which they came. To be disposed of when done; rejects when the signal aborts. */
  async enter(member: ClusterName, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const line = this.lines.get(member) ?? { busy: 0, waiting: new Set() };
    this.lines.set(member, line);
    if (line.busy >= this.most) await turnIn(line, signal);
    else line.busy++;
    return { [Symbol.dispose]: () => this.leave(member, line) };
  }

  /** The next takes over, so that nobody who comes in between is first. */
  private leave(member: ClusterName, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
    } else if (--line.busy === 0) {
      this.lines.delete(member);
    }
  }
}

async function turnIn({ waiting }: Line, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Who was let in at the same time as the signal aborted leaves as all do.
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
