/** The objects of one feed: the newest state in key order, and the history of events that led to it. */

import { Difference } from './difference.ts';
import type { ChangeType } from './feed-writer.ts';
import { fieldsOf, type SelectableField } from './field-paths.ts';
import { History, type HistoryOptions } from './history.ts';
import type { ReadChange } from './item-reader.ts';
import type { FeedSpec } from './messages.ts';
import type { OrderedKeys } from './ordered-keys.ts';
import { PastState } from './past-state.ts';
import { none, type StoredObjects } from './stored-objects.ts';

export interface TableOptions extends HistoryOptions {
  spec: FeedSpec;
  now(): number;
  /** The number of its first state. */
  seq: number;
}

/** For lists in pages that are read at the same time, each at its own state. */
const pastStatesKept = 4;

export class ResourceTable {
  readonly fields: readonly SelectableField[];
  seq: number;
  position: string;
  keys: OrderedKeys;
  readonly history: History;
  /** The columns that the rows of all objects have, and the first state in which they do. */
  columns: number;
  columnsSince: number;
  private readonly options: TableOptions;
  private past: PastState[] = [];

  /** Made from the first list: there are no earlier states. Takes over the references to its records. */
  constructor(options: TableOptions, keys: OrderedKeys, position: string, columns: number) {
    this.columns = columns;
    this.columnsSince = options.seq;
    this.options = options;
    this.fields = fieldsOf(options.spec);
    this.seq = options.seq;
    this.keys = keys;
    this.position = position;
    this.history = new History(options, this.seq, position);
  }

  /** The stored bytes of the newest state's objects. */
  get storedBytes(): number {
    return this.keys.storedBytes;
  }

  /** Takes over the references to the records that `readChanges` stored. */
  apply(changes: readonly ReadChange[], position: string): void {
    for (const change of changes) this.applyOne(change);
    this.position = position;
  }

  /** The difference to a new list; valid until the state changes. */
  differenceTo(keys: OrderedKeys, position: string, wentBack: boolean): Difference {
    const { objects, now } = this.options;
    return new Difference({
      objects,
      before: this.keys,
      after: keys,
      wentBack,
      // A restored member may have assigned the same resource version to another change.
      isUnchanged: (before, after) => (wentBack ? objects.isSame(before, after) : this.isUnchanged(before, after)),
      entry: { seq: this.seq + 1, position, differenceFrom: this.position, time: now() },
    });
  }

  isBaseOf({ options: { before, entry } }: Difference): boolean {
    return before === this.keys && entry.seq === this.seq + 1 && entry.differenceFrom === this.position;
  }

  /** Replaces all objects by a new list. The difference must be complete, and becomes one state. Takes over its references. */
  replace({ entries, options }: Difference, columns: number): void {
    const { after: keys, entry, wentBack } = options;
    if (wentBack) this.history.lose(this.position);
    else if (entries.length === 0) this.history.skipped(this.position, entry.position);
    if (wentBack && entries.length === 0) this.history.restoredUnchanged(entry.seq, entry.position);
    for (const one of entries) this.history.append(one);
    this.keys = keys;
    this.position = entry.position;
    const isOther = columns !== this.columns;
    if (entries.length > 0 || wentBack || isOther) this.seq = entry.seq;
    if (!isOther) return;
    this.columns = columns;
    this.columnsSince = entry.seq;
  }

  /** Reports some objects as deleted, as last known. Returns whether there are more. */
  removeSome(count: number): boolean {
    const taken = this.keys.takeLast(count);
    if (taken.length === 0) return false;
    this.seq++;
    for (const id of taken) {
      this.options.objects.use(id);
      this.record('DELETED', id, id, this.seq, this.position, this.position);
    }
    return this.keys.size > 0;
  }

  /** Returns whether more is left to release. */
  releaseSome(isTimeUp: () => boolean): boolean {
    this.past = [];
    if (releaseKeys(this.options.objects, this.keys, isTimeUp)) return true;
    while (this.history.length > 0) {
      this.history.dropOldest();
      if (isTimeUp()) return true;
    }
    return false;
  }

  /** Undefined for the newest state. */
  stateAt(seq: number): PastState | undefined {
    if (seq === this.seq) return undefined;
    const known = this.past.find((state) => state.seq === seq);
    const state = known ?? new PastState(this.options.objects, this.history, seq);
    this.past = [state, ...this.past.filter((one) => one !== state)].slice(0, pastStatesKept);
    return state;
  }

  private applyOne({ type, id, key, version }: ReadChange): void {
    const { objects } = this.options;
    if (type === 'DELETED') {
      this.applyDeletion(id, key, version);
      return;
    }
    const before = this.keys.find(key);
    if (before !== none && this.isUnchanged(before, id)) {
      objects.release(id);
      return;
    }
    this.keys.put(id, key);
    objects.use(id);
    this.seq++;
    if (before === none) this.record('ADDED', none, id, this.seq, version);
    else if (objects.uid(before) === objects.uid(id)) this.record('MODIFIED', before, id, this.seq, version);
    else this.recordReplaced(before, id, version);
  }

  /** A deletion whose object did not fit shows the last known one. */
  private applyDeletion(id: number, key: Buffer, version: string): void {
    const { objects } = this.options;
    const before = this.keys.remove(key);
    if (before === none) {
      if (id !== none) objects.release(id);
      return;
    }
    if (id === none) objects.use(before);
    this.record('DELETED', before, id === none ? before : id, ++this.seq, version);
  }

  /** Another uid under the same name: the watch missed the deletion, so both events make one state. */
  private recordReplaced(before: number, after: number, version: string): void {
    const from = this.position;
    this.options.objects.use(before);
    this.record('DELETED', before, before, this.seq, version, from);
    this.record('ADDED', none, after, this.seq, version, from);
  }

  private record(
    type: ChangeType,
    before: number,
    after: number,
    seq: number,
    position: string,
    differenceFrom?: string,
  ): void {
    const time = this.options.now();
    const entry = { seq, type, before, after, position, time };
    this.history.append(differenceFrom === undefined ? entry : { ...entry, differenceFrom });
    if (seq === this.seq) this.position = position;
  }

  /** The same uid and resource version means unchanged, even if the bytes differ: no watch is sent a version twice. */
  private isUnchanged(before: number, after: number): boolean {
    const { objects } = this.options;
    if (before === after) return true;
    if (objects.version(before) !== objects.version(after)) return false;
    return objects.version(after) === '' ? objects.isSame(before, after) : objects.uid(before) === objects.uid(after);
  }
}

/** Records released before the clock is read again, which costs more than releasing one. */
const releasedAtOnce = 100;

/** Releases the records of a table, or of a list that was never committed. Returns whether more is left. */
export function releaseKeys(objects: StoredObjects, keys: OrderedKeys, isTimeUp: () => boolean): boolean {
  while (keys.size > 0) {
    for (const id of keys.takeLast(releasedAtOnce)) objects.release(id);
    if (isTimeUp()) return keys.size > 0;
  }
  return false;
}

/** Releases one reference to each. Returns whether more is left. */
export function releaseEach(objects: StoredObjects, ids: Iterator<number>, isTimeUp: () => boolean): boolean {
  for (let released = 1; ; released++) {
    const { value, done } = ids.next();
    if (done) return false;
    objects.release(value);
    if (released % releasedAtOnce === 0 && isTimeUp()) return true;
  }
}

/** Whether a prepared difference is still what this commit would record: no event has come since. */
export function isCurrent(
  difference: Difference | undefined,
  table: ResourceTable | undefined,
  position: string,
  wentBack: boolean,
): boolean {
  const { entry, wentBack: isBack } = difference?.options ?? {};
  return (
    difference !== undefined &&
    table?.isBaseOf(difference) === true &&
    entry?.position === position &&
    isBack === wentBack
  );
}
