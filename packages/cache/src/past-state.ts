/** A feed as it was at an earlier state: its order now, with what has changed since undone. */

import type { History } from './history.ts';
import { none, type StoredObjects } from './stored-objects.ts';

export interface Undone {
  key: Buffer;
  /** The record that the key had then, or none. */
  was: number;
  /** Whether there is a record of the key now. */
  isNow: boolean;
}

export class PastState {
  readonly seq: number;
  private readonly objects: StoredObjects;
  private readonly history: History;
  private readonly byKey = new Map<string, Undone>();
  private sorted: Undone[] = [];
  /** Up to which state the history has been looked through. */
  private known: number;

  constructor(objects: StoredObjects, history: History, seq: number) {
    this.objects = objects;
    this.history = history;
    this.seq = seq;
    this.known = seq;
  }

  /** In the order of keys. What has happened since the last call is added. */
  undone(): readonly Undone[] {
    const size = this.byKey.size;
    for (let index = this.history.indexAfter(this.known); index < this.history.length; index++) {
      const { seq, type, before, after } = this.history.entry(index)!;
      const text = this.objects.keyText(after);
      const isNow = type !== 'DELETED';
      const known = this.byKey.get(text);
      // The first event of a key has what was before all of them.
      if (known) known.isNow = isNow;
      else this.byKey.set(text, { key: this.objects.key(after), was: before, isNow });
      this.known = seq;
    }
    if (this.byKey.size > size) this.sorted = [...this.byKey.values()].sort((a, b) => a.key.compare(b.key));
    return this.sorted;
  }

  /** By how many more there were of the keys from `low` up to `high` than there are now. */
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

/** The index of the first whose key is not before this one. */
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
