/**
 * A record is one stored version of an object: a row of numbers in a large typed array, which costs far less memory than a JavaScript
 * object. Its bytes are in a segment of the slab, one part after another. Offsets (`…At`) are into the object without managedFields.
 *
 *   | key | object without managedFields | Table row before its object | Table row after its object |
 */

export const field = {
  segment: 0,
  /** Of the key in the segment. */
  offset: 1,
  keyLength: 2,
  objectLength: 3,
  rowHead: 4,
  rowTail: 5,
  nameAt: 6,
  namespaceAt: 7,
  /** 0 for cluster-scoped objects. */
  namespaceLength: 8,
  versionAt: 9,
  versionLength: 10,
  uidAt: 11,
  uidLength: 12,
  metadataAt: 13,
  metadataEnd: 14,
  typeMetaEnd: 15,
  /** Where the managedFields were cut out. */
  managedAt: 16,
  /** Their block plus 1, or 0 for an object without them. */
  managedBlock: 17,
  managedIndex: 18,
  labels: 19,
  fields: 20,
  created: 21,
  flags: 22,
  /** The `columnsId` of its Table cells. */
  columns: 23,
  uses: 24,
  /** Sorts managedFields into blocks: objects of one feed are read together. */
  feed: 25,
  /** 0 without annotations. */
  annotationsAt: 26,
  /** Of `metadata.ownerReferences[0].name`. */
  ownerAt: 27,
  ownerLength: 28,
} as const;

export type FieldName = keyof typeof field;

/** `isIndexed`: the offsets of all names that views change are known. */
export const flag = { hasKind: 1, isKindFirst: 2, isRow: 4, isIndexed: 8 } as const;

const stride = 29;
const perPage = 4096;
const pageBits = 12;

/** All records of a shard, in pages, so that growing copies nothing. */
export class RecordRows {
  bytes = 0;
  count = 0;
  private readonly pages: Uint32Array[] = [];
  private readonly unused: number[] = [];
  private next = 0;

  /** A row of zeros. Returns its number. */
  add(): number {
    const id = this.unused.pop() ?? this.next++;
    if (id >> pageBits === this.pages.length) {
      this.pages.push(new Uint32Array(perPage * stride));
      this.bytes += perPage * stride * 4;
    }
    this.count++;
    return id;
  }

  remove(id: number): void {
    const at = (id & (perPage - 1)) * stride;
    this.pages[id >> pageBits]!.fill(0, at, at + stride);
    this.unused.push(id);
    this.count--;
  }

  get(id: number, index: number): number {
    return this.pages[id >> pageBits]![(id & (perPage - 1)) * stride + index]!;
  }

  set(id: number, index: number, value: number): void {
    this.pages[id >> pageBits]![(id & (perPage - 1)) * stride + index] = value;
  }
}
