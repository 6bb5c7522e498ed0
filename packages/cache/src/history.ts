/** The last events of one feed: what watches are answered from, and how the feed looked before them. */

import { hasReached, isOlder } from '@fleet/kube/version-order.ts';
import type { ChangeType } from './feed-writer.ts';
import type { Work } from './sliced-work.ts';
import { none, type StoredObjects } from './stored-objects.ts';

export interface HistoryEntry {
  seq: number;
  type: ChangeType;
  /** The record before, and the one that the event shows. */
  before: number;
  after: number;
  /** The resource version behind it. */
  position: string;
  /** Entries of a difference have one `seq`; this is the position before it. */
  differenceFrom?: string;
  /** When it came, in milliseconds. */
  time: number;
}

export interface HistoryLimits {
  milliseconds: number;
  /** Of each feed, kept however old they are, while there is memory. */
  events: number;
}

/** All feeds of a shard share what history may take. */
export interface HistoryBytes {
  used: number;
}

/** How much larger than it may be history gets for the sake of the last events of each feed. */
const tolerance = 1.25;
/** A JavaScript object and its place in an array. */
const entryOverhead = 120;

/** Looking at the clock takes longer than releasing one. */
const releasedAtOnce = 100;

export interface HistoryOptions {
  objects: StoredObjects;
  historyBytes: HistoryBytes;
  /** Does work that may be long in slices. */
  later(work: Work): void;
}

export class History {
  /** The oldest state that is known; its position is undefined where versions have gone back since. */
  floor: number;
  private floorPosition: string | undefined;
  private readonly objects: StoredObjects;
  private readonly bytes: HistoryBytes;
  private readonly later: (work: Work) => void;
  private entries: HistoryEntry[] = [];
  /** How many at the beginning of `entries` have been dropped already. */
  private head = 0;
  /** What of the bytes is this one's. */
  private own = 0;
  /** Of the versions before they went back, the newest. */
  private lostUpTo: string | undefined;

  constructor({ objects, historyBytes, later }: HistoryOptions, floor: number, position: string) {
    this.objects = objects;
    this.bytes = historyBytes;
    this.later = later;
    this.floor = floor;
    this.floorPosition = position;
  }

  get length(): number {
    return this.entries.length - this.head;
  }

  entry(index: number): HistoryEntry | undefined {
    return index < 0 ? undefined : this.entries[this.head + index];
  }

  /** Takes over one use of each of its records. */
  append(entry: HistoryEntry): void {
    this.entries.push(entry);
    this.count(this.sizeOf(entry));
  }

  /** The index of the first entry behind a state. */
  indexAfter(seq: number): number {
    return this.firstWhere((entry) => entry.seq > seq);
  }

  /** Undefined if it is not known. */
  positionOf(seq: number): string | undefined {
    if (seq === this.floor) return this.floorPosition;
    const entry = this.entry(this.indexAfter(seq) - 1);
    return entry?.seq === seq ? entry.position : undefined;
  }

  /** Which state a version stands for, of those up to the newest position. `lost`: of those before versions went back. */
  seqOf(version: string, newest: string): number | 'floor' | 'lost' | 'not-yet' {
    if (isOlder(newest, version)) {
      return this.lostUpTo !== undefined && hasReached(this.lostUpTo, version) ? 'lost' : 'not-yet';
    }
    if (!hasReached(newest, version)) return this.seqOfSame(version);
    const index = this.firstWhere(({ position }) => isOlder(version, position));
    // Between the two lists that a difference is of, nobody knows what was.
    const gap = this.entry(index)?.differenceFrom;
    if (gap !== undefined && !hasReached(gap, version)) return this.floorPosition === undefined ? 'lost' : 'floor';
    const found = this.entry(index - 1);
    if (found) return found.seq;
    if (this.floorPosition === undefined) return 'lost';
    return hasReached(version, this.floorPosition) ? this.floor : 'floor';
  }

  /**
   * Drops what is older than the limits say, and what is too large for `mostBytes` of all feeds. The last events are kept even
   * then, unless they are old, too, or all feeds' together far too large.
   */
  trim(limits: HistoryLimits, now: number, mostBytes: number): void {
    for (let oldest = this.entry(0); oldest; oldest = this.entry(0)) {
      const isOld = oldest.time < now - limits.milliseconds;
      const isLarge = this.bytes.used > mostBytes;
      const isTooLarge = this.bytes.used > mostBytes * tolerance;
      if (this.length > limits.events ? !isOld && !isLarge : !isTooLarge && !(isOld && isLarge)) return;
      this.dropOldest();
    }
  }

  /** Drops all but the newest state: at once, however many events that are (LIMIT-3). */
  private clear(): void {
    const last = this.entry(this.length - 1);
    if (!last) return;
    const dropped = this.head === 0 ? this.entries : this.entries.slice(this.head);
    this.entries = [];
    this.head = 0;
    this.floor = last.seq;
    this.count(-this.own);
    this.release(dropped);
  }

  /** Versions have gone back: those that were known stand for nothing any more. */
  lose(newest: string): void {
    this.clear();
    this.floorPosition = undefined;
    if (this.lostUpTo === undefined || isOlder(this.lostUpTo, newest)) this.lostUpTo = newest;
  }

  /** With all others of its state: a difference is known whole or not at all. */
  dropOldest(): void {
    const { seq, position } = this.entry(0)!;
    const from = this.head;
    for (let entry = this.entry(0); entry?.seq === seq; entry = this.entry(0)) {
      this.head++;
      this.count(-this.sizeOf(entry));
    }
    this.floor = seq;
    this.floorPosition = position;
    this.release(this.entries.slice(from, this.head));
    if (this.head < 1024 || this.head * 2 < this.entries.length) return;
    this.entries = this.entries.slice(this.head);
    this.head = 0;
  }

  private count(bytes: number): void {
    this.own += bytes;
    this.bytes.used += bytes;
  }

  /** Those of a large difference in slices (LIMIT-3). */
  private release(dropped: readonly HistoryEntry[]): void {
    let next = 0;
    const work: Work = (isTimeUp) => {
      while (next < dropped.length) {
        const { before, after } = dropped[next++]!;
        if (before !== none) this.objects.release(before);
        this.objects.release(after);
        if (next % releasedAtOnce === 0 && isTimeUp()) return next < dropped.length;
      }
      return false;
    };
    if (dropped.length > releasedAtOnce) this.later(work);
    else work(() => false);
  }

  /** What is kept for its sake: the record before, and the one that a deletion shows. */
  private sizeOf({ type, before, after }: HistoryEntry): number {
    const shown = type === 'DELETED' && after !== before ? this.objects.size(after) : 0;
    return entryOverhead + shown + (before === none ? 0 : this.objects.size(before));
  }

  private seqOfSame(version: string): number | 'floor' {
    let found: number | 'floor' = version === this.floorPosition ? this.floor : 'floor';
    for (let index = 0; index < this.length; index++) {
      const { position, seq } = this.entry(index)!;
      if (position === version) found = seq;
    }
    return found;
  }

  private firstWhere(isBehind: (entry: HistoryEntry) => boolean): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBehind(this.entry(middle)!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
