/**
 * The events that lead from the served objects to those of a new list. They are computed in slices, while the old objects are still
 * served, so that only recording them happens in one step, even if there are a hundred thousand (LIMIT-3).
 */

import type { ChangeType } from './feed-writer.ts';
import type { HistoryEntry } from './history.ts';
import type { OrderedKeys } from './ordered-keys.ts';
import { none, type StoredObjects } from './stored-objects.ts';
import { costOfBytes, TimeSlice } from './time-slice.ts';

/** `before` is served now; `after` is the new list. */
export interface DifferenceOptions {
  objects: StoredObjects;
  before: OrderedKeys;
  after: OrderedKeys;
  wentBack: boolean;
  isUnchanged(before: number, after: number): boolean;
  /** Common to all entries: a relist is one state. */
  entry: Readonly<Pick<HistoryEntry, 'seq' | 'position' | 'time'>> & { readonly differenceFrom: string };
}

export class Difference {
  /** Each holds one more reference to its `after` record. Its `before` record belongs to the table until that is replaced. */
  readonly entries: HistoryEntry[] = [];
  /** Records of `before` that no entry holds: to be released once the table is replaced. */
  readonly replaced: number[] = [];
  readonly options: DifferenceOptions;
  private readonly nextOld: () => number;
  private readonly nextNew: () => number;
  private old: number;
  private new: number;

  constructor(options: DifferenceOptions) {
    this.options = options;
    this.nextOld = options.before.walk();
    this.nextNew = options.after.walk();
    this.old = this.nextOld();
    this.new = this.nextNew();
  }

  /** Walks both in order until the time is up. Returns whether more is left. */
  run(isTimeUp: () => boolean): boolean {
    const slice = new TimeSlice(isTimeUp);
    while (this.old !== none || this.new !== none) {
      const cost = this.nextCost();
      this.compareNext();
      if (slice.isUpAfter(cost)) return true;
    }
    return false;
  }

  /** The records that it holds a reference to: to be released if it is abandoned. */
  *used(): Generator<number> {
    for (const { after } of this.entries) yield after;
  }

  /** Objects without a resource version, and all after a restore, are compared byte by byte. */
  private nextCost(): number {
    const { old: before, new: after } = this;
    return before === none || after === none || before === after
      ? 1
      : 1 + costOfBytes(this.options.objects.get(before, 'objectLength'));
  }

  private compareNext(): void {
    const { old: before, new: after } = this;
    const { objects, isUnchanged } = this.options;
    const order = before === none ? 1 : after === none ? -1 : before === after ? 0 : objects.compare(before, after);
    if (order < 0) this.add('DELETED', before, before);
    else if (order > 0) this.add('ADDED', none, after);
    else if (isUnchanged(before, after)) this.replaced.push(before);
    else if (objects.uid(before) === objects.uid(after)) this.add('MODIFIED', before, after);
    else {
      this.add('DELETED', before, before);
      this.add('ADDED', none, after);
    }
    if (order <= 0) this.old = this.nextOld();
    if (order >= 0) this.new = this.nextNew();
  }

  private add(type: ChangeType, before: number, after: number): void {
    const { objects, entry } = this.options;
    objects.use(after);
    this.entries.push({ ...entry, type, before, after });
  }
}
