/** The last events of one feed. Watches are answered from them, and undoing them gives earlier states for lists in pages. */

import { hasReached, isDecimal, isOlder } from '@fleet/kube/version-order.ts';
import type { ChangeType } from './feed-writer.ts';
import type { Work } from './sliced-work.ts';
import { none, type StoredObjects } from './stored-objects.ts';

export interface HistoryEntry {
  seq: number;
  type: ChangeType;
  /** The object's record before the event, or `none`; and the record that the event shows. */
  before: number;
  after: number;
  /** The feed's resource version after the event. */
  position: string;
  /** Only in entries of a relist, which share one `seq`: the position before the relist. */
  differenceFrom?: string;
  /** When it came, in milliseconds. */
  time: number;
}

export interface HistoryLimits {
  milliseconds: number;
  /** The last events of each feed are kept whatever their age, while there is memory. */
  events: number;
}

/** One counter for all feeds of a shard, as they share the limit; another for those of removed clusters. */
export interface HistoryBytes {
  used: number;
}

/** The limit may be exceeded by this factor to keep the last events of each feed. */
const tolerance = 1.25;
/** In bytes: a JavaScript object and its slot in an array. */
const entryOverhead = 120;

/** Beyond this many, the oldest gaps are merged into one: the versions between them are read from the member. */
const mostGaps = 100;

/** Entries released before the clock is read again, which costs more than releasing one. */
const releasedAtOnce = 100;

export interface HistoryOptions {
  objects: StoredObjects;
  historyBytes: HistoryBytes;
  /** Does work that may be long in slices. */
  later(work: Work): void;
  /** The newest version from before the member was restored from a backup, if it was. */
  lostUpTo?: string | undefined;
}

export class History {
  /** The oldest state that can be read. Its position is undefined if the member was restored from a backup since. */
  floor: number;
  private floorPosition: string | undefined;
  private readonly objects: StoredObjects;
  private bytes: HistoryBytes;
  private readonly later: (work: Work) => void;
  private entries: HistoryEntry[] = [];
  /** The first entry that is not dropped. */
  private head = 0;
  /** This feed's part of `bytes`. */
  private ownBytes = 0;
  /** Versions between two equal lists. Objects that were created and deleted in between are unknown. Oldest first. */
  private gaps: { from: string; to: string }[] = [];
  /** The newest states with positions that are no numbers, which cannot be searched for: hardly any server has them. */
  private readonly unordered = new Map<string, number>();
  /** The newest version from before the member was restored from a backup. */
  private lostUpTo: string | undefined;
  /** The first state after that, if nothing differed: it has no entry. */
  private restored: { seq: number; position: string } | undefined;

  constructor({ objects, historyBytes, later, lostUpTo }: HistoryOptions, floor: number, position: string) {
    this.objects = objects;
    this.bytes = historyBytes;
    this.later = later;
    this.lostUpTo = lostUpTo;
    this.floor = floor;
    this.floorPosition = position;
  }

  get length(): number {
    return this.entries.length - this.head;
  }

  entry(index: number): HistoryEntry | undefined {
    return index < 0 ? undefined : this.entries[this.head + index];
  }

  /** Takes over one reference to each of the entry's records. */
  append(entry: HistoryEntry): void {
    this.entries.push(entry);
    if (!isDecimal(entry.position)) this.unordered.set(entry.position, entry.seq);
    this.count(this.sizeOf(entry));
  }

  /** From now on its bytes, those that it has among them, are part of another counter. */
  countIn(bytes: HistoryBytes): void {
    this.bytes.used -= this.ownBytes;
    bytes.used += this.ownBytes;
    this.bytes = bytes;
  }

  /** A list at `to` found no difference from `from`. */
  skipped(from: string, to: string): void {
    this.gaps.push({ from, to });
    if (this.gaps.length > mostGaps) this.gaps.splice(0, 2, { from: this.gaps[0]!.from, to: this.gaps[1]!.to });
  }

  /** The index of the first entry after a state. */
  indexAfter(seq: number): number {
    return this.firstWhere((entry) => entry.seq > seq);
  }

  /** Undefined if it is not known. */
  positionOf(seq: number): string | undefined {
    if (seq === this.restored?.seq) return this.restored.position;
    if (seq === this.floor) return this.floorPosition;
    const entry = this.entry(this.indexAfter(seq) - 1);
    return entry?.seq === seq ? entry.position : undefined;
  }

  /**
   * The state that a resource version stands for. `floor`: older than the history. `lost`: from before the member was restored from a
   * backup. `not-yet`: newer than `newest`, the feed's position.
   */
  seqOf(version: string, newest: string): number | 'floor' | 'lost' | 'not-yet' {
    if (isOlder(newest, version)) {
      return this.canBeLost(version) ? 'lost' : 'not-yet';
    }
    if (!hasReached(newest, version)) return this.seqOfSame(version);
    const index = this.firstWhere(({ position }) => isOlder(version, position));
    // The states between two lists are unknown.
    const gap = this.entry(index)?.differenceFrom;
    if ((gap !== undefined && !hasReached(gap, version)) || this.isSkipped(version)) {
      return this.floorPosition === undefined && !this.isFromRestored(version) ? 'lost' : 'floor';
    }
    const found = this.entry(index - 1);
    if (found) return found.seq;
    if (this.restored && this.isFromRestored(version)) return this.restored.seq;
    if (this.floorPosition === undefined) return 'lost';
    if (hasReached(version, this.floorPosition)) return this.floor;
    return this.canBeLost(version) ? 'lost' : 'floor';
  }

  /**
   * Drops entries that are old, or that exceed `mostBytes` of all feeds together. The last `limits.events` are kept longer: until they
   * are old and `mostBytes` is exceeded, or until even the tolerance is exceeded.
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

  /** Drops all but the newest state. Releasing the records is left to slices (LIMIT-3). */
  private clear(): void {
    const last = this.entry(this.length - 1);
    if (!last) return;
    const dropped = this.head === 0 ? this.entries : this.entries.slice(this.head);
    this.entries = [];
    this.head = 0;
    this.unordered.clear();
    this.floor = last.seq;
    this.count(-this.ownBytes);
    this.release(dropped);
  }

  /** The member was restored from a backup: versions up to `newest` no longer stand for any state. */
  lose(newest: string): void {
    this.clear();
    this.floorPosition = undefined;
    this.restored = undefined;
    this.gaps = [];
    if (this.lostUpTo === undefined || isOlder(this.lostUpTo, newest)) this.lostUpTo = newest;
  }

  /** The list after `lose` found no difference. */
  restoredUnchanged(seq: number, position: string): void {
    this.restored = { seq, position };
  }

  /** Drops the oldest state with all its entries: a relist is kept whole or not at all. */
  dropOldest(): void {
    const { seq, position } = this.entry(0)!;
    const from = this.head;
    for (let entry = this.entry(0); entry?.seq === seq; entry = this.entry(0)) {
      this.head++;
      this.count(-this.sizeOf(entry));
    }
    if (this.unordered.get(position) === seq) this.unordered.delete(position);
    this.floor = seq;
    this.floorPosition = position;
    this.restored = undefined;
    this.gaps = this.gaps.filter(({ to }) => isOlder(position, to));
    this.release(this.entries.slice(from, this.head));
    if (this.head < 1024 || this.head * 2 < this.entries.length) return;
    this.entries = this.entries.slice(this.head);
    this.head = 0;
  }

  /** The span of all gaps that lie between two positions; undefined if there is none. */
  skippedWithin(from: string | undefined, to: string): { from: string; to: string } | undefined {
    if (this.gaps.length === 0 || from === undefined) return undefined;
    const within = this.gaps.filter((gap) => isOlder(from, gap.to) && isOlder(gap.from, to));
    return within.length === 0 ? undefined : { from: within[0]!.from, to: within.at(-1)!.to };
  }

  private canBeLost(version: string): boolean {
    return this.lostUpTo !== undefined && hasReached(this.lostUpTo, version);
  }

  private isFromRestored(version: string): boolean {
    return this.restored !== undefined && hasReached(version, this.restored.position);
  }

  private isSkipped(version: string): boolean {
    return this.gaps.some(({ from, to }) => isOlder(from, version) && isOlder(version, to));
  }

  private count(bytes: number): void {
    this.ownBytes += bytes;
    this.bytes.used += bytes;
  }

  /** Many records, as of a relist, are released in slices (LIMIT-3). */
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

  /** The records that only the history keeps: the one before, and the one that a deletion shows. */
  private sizeOf({ type, before, after }: HistoryEntry): number {
    const shown = type === 'DELETED' && after !== before ? this.objects.size(after) : 0;
    return entryOverhead + shown + (before === none ? 0 : this.objects.size(before));
  }

  /** One of them is no number. Never by a walk: it is looked for before anybody has allowed the client to read. */
  private seqOfSame(version: string): number | 'floor' {
    return this.unordered.get(version) ?? (version === this.floorPosition ? this.floor : 'floor');
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
