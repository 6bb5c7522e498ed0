/** An earlier state of a feed: the current one with the events since then undone. */

import type { History } from './history.ts';
import { none, type StoredObjects } from './stored-objects.ts';

export interface Undone {
  key: Buffer;
  /** The record with this key at the earlier state, or `none`. */
  was: number;
  /** Whether the newest state has a record with this key. */
  isNow: boolean;
}

export class PastState {
  readonly seq: number;
  private readonly objects: StoredObjects;
  private readonly history: History;
  private readonly byKey = new Map<string, Undone>();
  private sorted: Undone[] = [];
  /** The last state whose events are in `byKey`. */
  private known: number;

  constructor(objects: StoredObjects, history: History, seq: number) {
    this.objects = objects;
    this.history = history;
    this.seq = seq;
    this.known = seq;
  }

  /** The keys that changed, in order. Adds the events since the last call. */
  undone(): readonly Undone[] {
    const size = this.byKey.size;
    for (let index = this.history.indexAfter(this.known); index < this.history.length; index++) {
      const { seq, type, before, after } = this.history.entry(index)!;
      const text = this.objects.keyText(after);
      const isNow = type !== 'DELETED';
      const known = this.byKey.get(text);
      // The record before the first event of a key is the one that the earlier state had.
      if (known) known.isNow = isNow;
      else this.byKey.set(text, { key: this.objects.key(after), was: before, isNow });
      this.known = seq;
    }
    if (this.byKey.size > size) this.sorted = [...this.byKey.values()].sort((a, b) => a.key.compare(b.key));
    return this.sorted;
  }

  /** How many more records it has between `low` and `high` than the newest state; may be negative. */
  moreThanNow(low: Uint8Array, high: Uint8Array | undefined): number {
    const undone = this.undone();
    let more = 0;
    for (let index = firstFrom(undone, low); index < undone.length; index++) {
      const { key, was, isNow } = undone[index]!;
      if (high && key.compare(high) >= 0) break;
      more += (was === none ? 0 : 1) - (isNow ? 1 : 0);
    }
    return more;
  }
}

/** The index of the first key that is not less than this one. */
export function firstFrom(undone: readonly Undone[], key: Uint8Array): number {
  let low = 0;
  let high = undone.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (undone[middle]!.key.compare(key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
