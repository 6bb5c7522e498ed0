/**
 * The managedFields of objects, compressed in blocks (CACHE-6). They are more than half of most objects, and nearly the same in
 * objects with neighbouring keys. Each text is the bytes that were cut out of an object, and is put back in the same place.
 *
 * New texts are kept uncompressed (`young`) until there are some thousands. Then this generation is sorted by object key and
 * compressed. So a list in key order decompresses each block once, in whatever order the objects changed.
 */

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type ArenaText, TextArena } from './text-arena.ts';

export interface ManagedFieldsOwner {
  /** The order in which lists read them. */
  compare(one: number, other: number): number;
  managedMoved(owner: number, block: number, index: number): void;
}

interface Block {
  /** The record that each text belongs to; `dead` if it was released. */
  owners: number[];
  /** The end of each text in the decompressed block. */
  ends: number[];
  live: number;
  compressed: Buffer;
  length: number;
}

interface Young {
  owner: number;
  text: ArenaText;
}

const lengthOf = ({ text }: Young): number => text.end - text.start;

export const perBlock = 64;
/** The block number of texts that are not compressed yet. */
export const young = 0;
const longestBlock = 512 * 1024;
const dead = -1;
/** How many young texts to collect, in proportion to all: with too few, the objects of a block would be far apart in key order. */
const generationOf = (count: number): number => Math.min(Math.max(count / 16, 1024), 4096);
const mostYoungBytes = 16 * 1024 * 1024;
/** In bytes, for decompressed blocks: a list needs one of each generation; some 14 000 objects that are read repeatedly fit whole. */
const mostDecompressed = 32 * 1024 * 1024;
const blockOverhead = 1_200;
const youngOverhead = 200;

/** Blocks of which less than a quarter is live are unpacked, and compressed with the next generation. */
const isSparse = ({ live, owners }: Block): boolean => live * 4 < owners.length;

export class ManagedFields {
  bytes = 0;
  private readonly owner: ManagedFieldsOwner;
  private readonly generation: (count: number) => number;
  private count = 0;
  private readonly arena = new TextArena();
  /** Scratch space: the texts of the block that is being compressed. */
  private joined: Buffer = Buffer.allocUnsafeSlow(longestBlock);
  private readonly texts: (Young | undefined)[] = [];
  private readonly unusedTexts: number[] = [];
  private youngCount = 0;
  private youngBytes = 0;
  /** The future blocks of the generation that is being compressed, in reverse order. */
  private closing: { slot: number; owner: number }[][] = [];
  private sinceClosed = 0;
  /** Index 0 is never used: it stands for `young`. */
  private readonly blocks: (Block | undefined)[] = [undefined];
  private readonly unused: number[] = [];
  private readonly sparseBlocks = new Set<number>();
  private readonly decompressed = new Map<number, Buffer>();
  private decompressedBytes = 0;

  /** `generation`: how many young texts to collect, given the number of all texts. */
  constructor(owner: ManagedFieldsOwner, generation = generationOf) {
    this.owner = owner;
    this.generation = generation;
  }

  /** Returns the index of the text in the block `young`. */
  add(owner: number, source: Buffer, start: number, end: number): number {
    // One block is compressed for each block's worth of new texts, so that a long list does not outrun the compression.
    if (this.closing.length > 0) {
      if (++this.sinceClosed >= perBlock) this.closeNext();
    } else if (this.youngCount >= this.generation(this.count) || this.youngBytes > mostYoungBytes)
      this.startGeneration();
    const slot = this.unusedTexts.pop() ?? this.texts.length;
    this.texts[slot] = { owner, text: this.arena.add(source, start, end) };
    this.count++;
    this.youngCount++;
    this.youngBytes += end - start;
    this.bytes += youngOverhead + end - start;
    return slot;
  }

  /** Valid until the next call. */
  text(blockId: number, index: number): Buffer {
    if (blockId === young) {
      const { page, start, end } = this.texts[index]!.text;
      return page.bytes.subarray(start, end);
    }
    const block = this.blocks[blockId]!;
    const whole = this.decompress(blockId, block);
    return whole.subarray(index === 0 ? 0 : block.ends[index - 1]!, block.ends[index]!);
  }

  release(blockId: number, index: number): void {
    this.count--;
    if (blockId === young) {
      this.releaseYoung(index);
      return;
    }
    const block = this.blocks[blockId]!;
    block.owners[index] = dead;
    block.live--;
    if (block.live === 0) this.drop(blockId, block);
    else if (isSparse(block)) this.sparseBlocks.add(blockId);
  }

  /** Compresses or unpacks one block. Returns whether there was anything to do. */
  compact(): boolean {
    if (this.closing.length > 0) {
      this.closeNext();
      return true;
    }
    const [blockId] = this.sparseBlocks;
    if (blockId === undefined) return false;
    const block = this.blocks[blockId]!;
    const whole = this.decompress(blockId, block);
    for (const [index, owner] of block.owners.entries()) {
      if (owner === dead) continue;
      this.count--;
      const slot = this.add(owner, whole, index === 0 ? 0 : block.ends[index - 1]!, block.ends[index]!);
      this.owner.managedMoved(owner, young, slot);
    }
    this.drop(blockId, block);
    return true;
  }

  private startGeneration(): void {
    const all: { slot: number; owner: number; length: number }[] = [];
    for (const [slot, one] of this.texts.entries()) {
      if (one) all.push({ slot, owner: one.owner, length: lengthOf(one) });
    }
    all.sort((a, b) => this.owner.compare(a.owner, b.owner));
    let group: typeof all = [];
    let length = 0;
    for (const one of all) {
      if (group.length === perBlock || (group.length > 0 && length + one.length > longestBlock)) {
        this.closing.push(group);
        group = [];
        length = 0;
      }
      group.push(one);
      length += one.length;
    }
    this.closing.push(group);
    this.closing.reverse();
  }

  private closeNext(): void {
    this.sinceClosed = 0;
    const group = this.closing.pop()!.filter(({ slot, owner }) => this.texts[slot]?.owner === owner);
    if (group.length === 0) return;
    const ends: number[] = [];
    let length = 0;
    for (const { slot } of group) {
      const { page, start, end } = this.texts[slot]!.text;
      if (length + end - start > this.joined.length) {
        this.joined = Buffer.concat([this.joined], Math.max(2 * this.joined.length, length + end - start));
      }
      length += page.bytes.copy(this.joined, length, start, end);
      ends.push(length);
    }
    const packed = zstdCompressSync(this.joined.subarray(0, length), { chunkSize: 64 * 1024 });
    // A copy of the exact size: zlib's result keeps a larger buffer alive.
    const compressed = Buffer.allocUnsafeSlow(packed.length);
    packed.copy(compressed);
    const owners = group.map(({ owner }) => owner);
    const blockId = this.unused.pop() ?? this.blocks.length;
    this.blocks[blockId] = { owners, ends, live: owners.length, compressed, length };
    this.bytes += blockOverhead + compressed.length;
    for (const [index, { slot, owner }] of group.entries()) {
      this.releaseYoung(slot);
      this.owner.managedMoved(owner, blockId, index);
    }
  }

  private releaseYoung(slot: number): void {
    const released = this.texts[slot]!;
    const length = lengthOf(released);
    this.arena.release(released.text);
    this.texts[slot] = undefined;
    this.unusedTexts.push(slot);
    this.youngCount--;
    this.youngBytes -= length;
    this.bytes -= youngOverhead + length;
  }

  private decompress(blockId: number, { compressed, length }: Block): Buffer {
    const known = this.decompressed.get(blockId);
    if (known) {
      this.decompressed.delete(blockId);
      this.decompressed.set(blockId, known);
      return known;
    }
    const whole = zstdDecompressSync(compressed, { chunkSize: Math.max(length + 64, 1024) });
    this.decompressed.set(blockId, whole);
    this.decompressedBytes += whole.length;
    for (const oldest of this.decompressed.keys()) {
      if (this.decompressedBytes <= mostDecompressed || oldest === blockId) break;
      this.forget(oldest);
    }
    return whole;
  }

  private forget(blockId: number): void {
    const whole = this.decompressed.get(blockId);
    if (!whole) return;
    this.decompressed.delete(blockId);
    this.decompressedBytes -= whole.length;
  }

  private drop(blockId: number, { compressed }: Block): void {
    this.forget(blockId);
    this.bytes -= blockOverhead + compressed.length;
    this.sparseBlocks.delete(blockId);
    this.blocks[blockId] = undefined;
    this.unused.push(blockId);
  }
}
