/**
 * When watchers are written what they are owed: in turns, between which the event loop does everything else (LIMIT-3).
 * What comes for a watcher before its turn leaves in one write.
 */

export interface Owed {
  flush(): void;
}

/** Milliseconds. */
const longestTurn = 10;

export class Deliveries {
  private readonly owed = new Set<Owed>();
  private planned = false;
  private notBefore = 0;

  add(one: Owed): void {
    this.owed.add(one);
    if (!this.planned) this.plan();
  }

  private plan(): void {
    this.planned = true;
    const wait = this.notBefore - performance.now();
    // Less than timers can tell.
    if (wait < 1) setImmediate(() => this.turn());
    else setTimeout(() => this.turn(), wait);
  }

  private turn(): void {
    const start = performance.now();
    let now = start;
    for (const one of this.owed) {
      this.owed.delete(one);
      one.flush();
      now = performance.now();
      if (now - start >= longestTurn) break;
    }
    this.planned = false;
    if (this.owed.size > 0) this.plan();
    // Then a rest as long: the more there are to write to, the more is worth waiting for.
    else this.notBefore = now + Math.min(now - start, longestTurn);
  }
}

/** One for all: they share the event loop. */
export const deliveries = new Deliveries();

let last: { parts: readonly Buffer[]; bytes: Buffer } = { parts: [], bytes: Buffer.alloc(0) };

/** Watchers of the same thing are mostly owed the same: then it is put together once. */
export function joined(parts: readonly Buffer[]): Buffer {
  if (parts.length === 1) return parts[0]!;
  const isSame = parts.length === last.parts.length && parts.every((part, index) => part === last.parts[index]);
  if (!isSame) last = { parts, bytes: Buffer.concat(parts) };
  return last.bytes;
}
