/**
 * The bytes of stored objects (blobs), appended to large segments that all feeds of a shard share. Outside V8's heap, they cost no
 * garbage collection.
 *
 *   segment: | id (u32) | length (u32) | bytes … | id | length | bytes … |
 *
 * The head before each blob lets a compaction walk a segment from its start, without an index of its blobs.
 */

export interface SlabOptions {
  segmentSize: number;
  /** Called before another segment is allocated; throws if there is no memory for it. May compact. */
  reserve(bytes: number): void;
}

/** Knows where blobs are. A compaction asks it which blobs are live, and reports where it moved them. */
export interface BlobOwner {
  isAt(id: number, segment: number, offset: number): boolean;
  moved(id: number, segment: number, offset: number): void;
}

interface Segment {
  bytes: Buffer;
  used: number;
  live: number;
}

/** A segment that is being compacted; `at` is the next blob. */
interface Compaction {
  index: number;
  segment: Segment;
  at: number;
}

const headSize = 8;
/** Segments of which a smaller share is live are compacted. */
const sparse = 0.5;
/** Blobs moved before the clock is read again. */
const blobsPerLook = 16;

export class Slab {
  /** Where `append` put the last blob. Two fields instead of a returned object, as this runs for every stored object. */
  segment = 0;
  offset = 0;
  allocated = 0;
  live = 0;
  private readonly options: SlabOptions;
  private readonly segments: (Segment | undefined)[] = [];
  private readonly unused: number[] = [];
  private current = -1;
  private isCompacting = false;
  private compacting: Compaction | undefined;

  constructor(options: SlabOptions) {
    this.options = options;
  }

  /** Reserves `length` bytes for the blob and sets `segment` and `offset`. Returns the segment to write to. */
  append(id: number, length: number): Buffer {
    const size = headSize + length;
    const segment = this.withSpace(size);
    const { bytes, used } = segment;
    bytes.writeUInt32LE(id, used);
    bytes.writeUInt32LE(length, used + 4);
    segment.used += size;
    segment.live += size;
    this.live += size;
    this.segment = this.current;
    this.offset = used + headSize;
    return bytes;
  }

  bytesOf(segment: number): Buffer {
    return this.segments[segment]!.bytes;
  }

  free(segment: number, length: number): void {
    const freed = this.segments[segment]!;
    freed.live -= headSize + length;
    this.live -= headSize + length;
    if (freed.live === 0 && segment !== this.current) this.drop(segment);
  }

  /** Copies blobs out of sparse segments until the time is up. Returns whether more is left to do. */
  compact(owner: BlobOwner, isTimeUp: () => boolean): boolean {
    const state = this.compacting ?? this.sparsest();
    this.compacting = state;
    if (!state) return false;
    // Between two slices the segment may have been dropped, and its number reused.
    for (let blobs = 1; this.segments[state.index] === state.segment; blobs++) {
      if (state.at >= state.segment.used) throw new Error('a segment has bytes in use that no object has');
      this.moveNext(state, owner);
      if (blobs % blobsPerLook === 0 && isTimeUp()) return true;
    }
    this.compacting = undefined;
    return this.sparsest() !== undefined;
  }

  private moveNext(state: Compaction, owner: BlobOwner): void {
    const { index, segment } = state;
    const { bytes } = segment;
    const id = bytes.readUInt32LE(state.at);
    const length = bytes.readUInt32LE(state.at + 4);
    const from = state.at + headSize;
    state.at = from + length;
    if (!owner.isAt(id, index, from)) return;
    this.isCompacting = true;
    const target = this.append(id, length);
    this.isCompacting = false;
    bytes.copy(target, this.offset, from, from + length);
    owner.moved(id, this.segment, this.offset);
    this.free(index, length);
  }

  private sparsest(): Compaction | undefined {
    let found = -1;
    let least = sparse;
    for (const [index, segment] of this.segments.entries()) {
      if (!segment || index === this.current) continue;
      const share = segment.live / segment.bytes.length;
      if (share < least) {
        least = share;
        found = index;
      }
    }
    return found < 0 ? undefined : { index: found, segment: this.segments[found]!, at: 0 };
  }

  private withSpace(size: number): Segment {
    const fitting = (): Segment | undefined => {
      const current = this.segments[this.current];
      return current && current.used + size <= current.bytes.length ? current : undefined;
    };
    const known = fitting();
    if (known) return known;
    const opened = Math.max(size, this.options.segmentSize);
    // A compaction frees more than it takes.
    if (!this.isCompacting) this.options.reserve(opened);
    return fitting() ?? this.open(opened);
  }

  private open(size: number): Segment {
    const before = this.current;
    const opened = { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0 };
    this.allocated += size;
    this.current = this.unused.pop() ?? this.segments.length;
    this.segments[this.current] = opened;
    if (this.segments[before]?.live === 0) this.drop(before);
    return opened;
  }

  private drop(index: number): void {
    this.allocated -= this.segments[index]!.bytes.length;
    this.segments[index] = undefined;
    this.unused.push(index);
  }
}
