/**
 * What a list changes in what is served: worked out in slices while that stays as it is, so that of a hundred thousand changes
 * only the recording is done at once (LIMIT-3).
 */

import type { ChangeType } from './feed-writer.ts';
import type { HistoryEntry } from './history.ts';
import type { OrderedKeys } from './ordered-keys.ts';
import { none, type StoredObjects } from './stored-objects.ts';

/** What is served, and what is to be. */
export interface DifferenceOptions {
  objects: StoredObjects;
  before: OrderedKeys;
  after: OrderedKeys;
  wentBack: boolean;
  isUnchanged(before: number, after: number): boolean;
  /** What all entries have. */
  entry: Readonly<Pick<HistoryEntry, 'seq' | 'position' | 'time'>> & { readonly differenceFrom: string };
}

/** Pairs of objects between two looks at the clock. */
const pairsPerLook = 64;

export class Difference {
  /** Each uses its record of after once more; that of before is the table's until it is replaced. */
  readonly entries: HistoryEntry[] = [];
  /** Records of before that have no use any more once they are replaced. */
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
    for (let pairs = 1; this.old !== none || this.new !== none; pairs++) {
      this.compareNext();
      if (pairs % pairsPerLook === 0 && isTimeUp()) return true;
    }
    return false;
  }

  /** The records that are used for its sake, where it never comes to be. */
  *used(): Generator<number> {
    for (const { after } of this.entries) yield after;
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
