/**
 * Schedules the pending writes of watchers in slices, between which the event loop does everything else (LIMIT-3).
 * Events that arrive before a watcher's turn are sent in one write.
 */

export interface PendingWrite {
  flush(): void;
}

/** In milliseconds. */
const longestTurn = 10;

export class Deliveries {
  private readonly pending = new Set<PendingWrite>();
  private planned = false;
  private notBefore = 0;

  add(one: PendingWrite): void {
    this.pending.add(one);
    if (!this.planned) this.plan();
  }

  private plan(): void {
    this.planned = true;
    const wait = this.notBefore - performance.now();
    // Less than the resolution of timers.
    if (wait < 1) setImmediate(() => this.turn());
    else setTimeout(() => this.turn(), wait);
  }

  private turn(): void {
    const start = performance.now();
    let now = start;
    for (const one of this.pending) {
      this.pending.delete(one);
      one.flush();
      now = performance.now();
      if (now - start >= longestTurn) break;
    }
    this.planned = false;
    if (this.pending.size > 0) this.plan();
    // Then a pause of the same length: with more watchers, more events are combined.
    else this.notBefore = now + Math.min(now - start, longestTurn);
  }
}

/** One for the process, as all share the event loop. */
export const deliveries = new Deliveries();

let last: { parts: readonly Buffer[]; bytes: Buffer } = { parts: [], bytes: Buffer.alloc(0) };

/** Watchers of the same resource mostly have the same pending parts: those are concatenated once. */
export function joined(parts: readonly Buffer[]): Buffer {
  if (parts.length === 1) return parts[0]!;
  const isSame = parts.length === last.parts.length && parts.every((part, index) => part === last.parts[index]);
  if (!isSame) last = { parts, bytes: Buffer.concat(parts) };
  return last.bytes;
}
