/** Reads one page of a state: items in key order, in the requested form, as many as fit into one answer. */

import { ChunkWriter } from './chunk-writer.ts';
import type { ItemForms, TypeMeta } from './item-forms.ts';
import type { Page, ReadAsk } from './messages.ts';
import type { ObjectFilter } from './object-filter.ts';
import type { OrderedKeys } from './ordered-keys.ts';
import { firstFrom, type PastState } from './past-state.ts';
import { none, type StoredObjects } from './stored-objects.ts';
import { type Clock, TimeSlice } from './time-slice.ts';

export interface StateOfKeys {
  objects: StoredObjects;
  keys: OrderedKeys;
  /** Whether keys are `namespace/name`. */
  isNamespaced: boolean;
  /** Undefined for the newest state. */
  past: PastState | undefined;
}

/** In milliseconds, with and without selectors. A page ends then, even if it has no item. */
const longestSearch = 5;
const longestPage = 20;

export type PartOfPage = Pick<Page, 'chunk' | 'ends' | 'names' | 'next' | 'left'>;

export function readPage(
  state: StateOfKeys,
  ask: ReadAsk,
  filter: ObjectFilter | undefined,
  forms: ItemForms,
  typeMeta: TypeMeta,
  clock: Clock,
): PartOfPage {
  const { objects } = state;
  const slice = TimeSlice.of(clock, filter ? longestSearch : longestPage);
  const range = rangeOf(state, ask, filter);
  const cursor = new Cursor(state, range);
  const to = new ChunkWriter(Math.max(ask.bytes, 1));
  const limit = Math.max(ask.limit ?? Number.POSITIVE_INFINITY, 1);
  let last = none;
  let isTimeUp = false;
  for (let id = cursor.next(); id !== none; id = cursor.next()) {
    if (to.items >= limit || (to.isFull && to.items > 0) || isTimeUp) {
      const next = objects.keyText(last);
      return { ...to.finish(), next, ...(filter ? {} : { left: countFrom(state, id, range.high) }) };
    }
    last = id;
    const isShown = !filter || filter.matches(id);
    const cost = isShown ? forms.write(to, id, ask.form, typeMeta) : 0;
    isTimeUp = slice.isUpAfter(cost + (filter?.costOf(id) ?? 0));
  }
  return { ...to.finish(), ...(filter ? {} : { left: 0 }) };
}

interface Range {
  low: Buffer;
  /** Exclusive. */
  high: Buffer | undefined;
}

const lowest = Buffer.alloc(0);
/** The character after `/`: all keys of a namespace are less than the namespace followed by it. */
const afterSlash = '0';

function rangeOf({ isNamespaced }: StateOfKeys, { after, within }: ReadAsk, filter: ObjectFilter | undefined): Range {
  const start = within === undefined ? lowest : Buffer.from(`${within}/`);
  const high = within === undefined ? undefined : Buffer.from(`${within}${afterSlash}`);
  // The least key that is greater than another is that key with a zero byte appended.
  const next = after === undefined ? start : Buffer.from(`${after}\0`);
  const low = next.compare(start) > 0 ? next : start;
  // Over all namespaces a name is not a key: several namespaces may have it.
  const name = within === undefined && isNamespaced ? undefined : filter?.onlyName;
  if (name === undefined) return { low, high };
  const only = Buffer.concat([start, Buffer.from(name)]);
  return { low: only.compare(low) > 0 ? only : low, high: Buffer.from(`${only}\0`) };
}

function countFrom({ objects, keys, past }: StateOfKeys, id: number, high: Buffer | undefined): number {
  const low = objects.key(id);
  const end = high ? keys.rank(keys.lowerBound(high)) : keys.size;
  return end - keys.rank(keys.lowerBound(low)) + (past?.moreThanNow(low, high) ?? 0);
}

/** The records of a range in order: merges the newest state with what is undone for a past one. */
class Cursor {
  private readonly state: StateOfKeys;
  private readonly high: Buffer | undefined;
  private readonly place;
  private readonly undone;
  private undoneAt: number;

  constructor(state: StateOfKeys, { low, high }: Range) {
    this.state = state;
    this.high = high;
    this.place = state.keys.lowerBound(low);
    this.undone = state.past?.undone() ?? [];
    this.undoneAt = firstFrom(this.undone, low);
  }

  next(): number {
    const { objects } = this.state;
    for (;;) {
      const id = this.newest();
      const undone = this.undone[this.undoneAt];
      if (!undone || (this.high && undone.key.compare(this.high) >= 0)) {
        this.place.index++;
        return id;
      }
      const order = id === none ? 1 : objects.compareKey(id, undone.key);
      if (order < 0) {
        this.place.index++;
        return id;
      }
      if (order === 0) this.place.index++;
      this.undoneAt++;
      if (undone.was !== none) return undone.was;
    }
  }

  /** The next record of the newest state. */
  private newest(): number {
    const id = this.state.keys.at(this.place);
    return id !== none && this.high && this.state.objects.compareKey(id, this.high) >= 0 ? none : id;
  }
}
