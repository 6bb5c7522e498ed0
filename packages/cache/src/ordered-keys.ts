/**
 * The records of one feed in key order: an array of sorted blocks. A key is found by two binary searches, an insertion moves at most
 * one block, and a namespace is a range of keys.
 */

import { none } from './stored-objects.ts';

export const perBlock = 512;
/** Neighbouring blocks with no more records than this together are merged. */
const mergeBelow = perBlock / 2;

interface Block {
  ids: Int32Array;
  count: number;
}

/** A position in the order: before the record at `index`. */
export interface Place {
  block: number;
  index: number;
}

export interface KeyOrder {
  compareKey(id: number, key: Uint8Array): number;
  /** How many bytes a record has. */
  size(id: number): number;
}

export class OrderedKeys {
  size = 0;
  /** The bytes of all records. */
  storedBytes = 0;
  private readonly blocks: Block[] = [];
  private readonly order: KeyOrder;

  constructor(order: KeyOrder) {
    this.order = order;
  }

  get bytes(): number {
    return this.blocks.length * (perBlock * 4 + 100);
  }

  /** The first record whose key is not less than this one. */
  lowerBound(key: Uint8Array): Place {
    let low = 0;
    let high = this.blocks.length;
    // Find the last block whose first key is not greater.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.order.compareKey(this.blocks[middle]!.ids[0]!, key) <= 0) low = middle + 1;
      else high = middle;
    }
    const block = Math.max(low - 1, 0);
    const { ids, count } = this.blocks[block] ?? { ids: noIds, count: 0 };
    let from = 0;
    let to = count;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.order.compareKey(ids[middle]!, key) < 0) from = middle + 1;
      else to = middle;
    }
    return { block, index: from };
  }

  find(key: Uint8Array): number {
    const id = this.at(this.lowerBound(key));
    return id !== none && this.order.compareKey(id, key) === 0 ? id : none;
  }

  /** The record at a place. */
  at(place: Place): number {
    this.settle(place);
    return this.blocks[place.block]?.ids[place.index] ?? none;
  }

  /** How many records come before a place. */
  rank({ block, index }: Place): number {
    let count = index;
    for (let i = 0; i < block; i++) count += this.blocks[i]!.count;
    return count;
  }

  /** Inserts a record. Returns the one with the same key that it replaces, or `none`. */
  put(id: number, key: Uint8Array): number {
    const place = this.lowerBound(key);
    const before = this.at(place);
    this.storedBytes += this.order.size(id);
    if (before !== none && this.order.compareKey(before, key) === 0) {
      this.blocks[place.block]!.ids[place.index] = id;
      this.storedBytes -= this.order.size(before);
      return before;
    }
    this.insert(id, this.lowerBound(key));
    return none;
  }

  /** Returns the removed record, or `none`. */
  remove(key: Uint8Array): number {
    const place = this.lowerBound(key);
    const id = this.at(place);
    if (id === none || this.order.compareKey(id, key) !== 0) return none;
    const block = this.blocks[place.block]!;
    block.ids.copyWithin(place.index, place.index + 1, block.count);
    block.count--;
    this.size--;
    this.storedBytes -= this.order.size(id);
    this.join(place.block);
    return id;
  }

  /** Removes up to so many records from the end, where removal moves nothing. */
  takeLast(count: number): number[] {
    const taken: number[] = [];
    for (let last = this.blocks.at(-1); last && taken.length < count; last = this.blocks.at(-1)) {
      const from = Math.max(last.count - (count - taken.length), 0);
      for (const id of last.ids.subarray(from, last.count).toReversed()) taken.push(id);
      last.count = from;
      if (from === 0) this.blocks.pop();
    }
    this.size -= taken.length;
    for (const id of taken) this.storedBytes -= this.order.size(id);
    return taken;
  }

  /** Returns a function that returns the records in order, one per call, then `none`. */
  walk(): () => number {
    let [block, index] = [0, 0];
    let current = this.blocks[0];
    return () => {
      if (!current) return none;
      if (index < current.count) return current.ids[index++]!;
      block++;
      current = this.blocks[block];
      index = 1;
      return current ? current.ids[0]! : none;
    };
  }

  /** A place after the last record of a block is the one before the first record of the next. */
  private settle(place: Place): void {
    const block = this.blocks[place.block];
    if (!block || place.index < block.count) return;
    place.block++;
    place.index = 0;
  }

  private insert(id: number, { block: at, index }: Place): void {
    this.size++;
    const block = this.blocks[at];
    if (!block) {
      this.blocks.push({ ids: new Int32Array(perBlock).fill(id, 0, 1), count: 1 });
      return;
    }
    if (block.count < perBlock) {
      block.ids.copyWithin(index + 1, index, block.count);
      block.ids[index] = id;
      block.count++;
      return;
    }
    // Lists arrive in key order: if the last block is appended to, it stays full instead of being split in half.
    const half = at === this.blocks.length - 1 && index === perBlock ? perBlock : perBlock / 2;
    const later = { ids: new Int32Array(perBlock), count: perBlock - half };
    later.ids.set(block.ids.subarray(half));
    block.count = half;
    this.blocks.splice(at + 1, 0, later);
    this.size--;
    this.insert(id, index > half || half === perBlock ? { block: at + 1, index: index - half } : { block: at, index });
  }

  private join(at: number): void {
    const block = this.blocks[at]!;
    if (block.count === 0) {
      this.blocks.splice(at, 1);
      return;
    }
    const later = this.blocks[at + 1];
    if (!later || block.count + later.count > mergeBelow) return;
    block.ids.set(later.ids.subarray(0, later.count), block.count);
    block.count += later.count;
    this.blocks.splice(at + 1, 1);
  }
}

const noIds = new Int32Array(0);
