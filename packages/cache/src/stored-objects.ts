/** The objects of a shard. Each stored version of an object is a record with a number and a reference count (`uses`). */

import { eachMember, spanIs, stop, stringSpan } from '@fleet/kube/json-bytes.ts';
import type { Ingested } from './ingest.ts';
import { fieldTuples, labelSets, tupleText } from './label-sets.ts';
import { ManagedFields, type ManagedFieldsOwner, young } from './managed-fields.ts';
import { type FieldName, field, flag, RecordRows } from './record-layout.ts';
import { type BlobOwner, Slab, type SlabOptions } from './slab.ts';

/** The number of no record. */
export const none = -1;

export interface StoredObjectsOptions extends SlabOptions {
  /** The managedFields of how many objects form a generation; left out: in proportion to all objects. */
  compressedAtOnce?: number | undefined;
}

/** What a feed adds to a record beside the object itself. */
export interface RecordContext {
  feed: number;
  /** The `columnsId` of the cells. */
  columns: number;
}

export class StoredObjects implements BlobOwner, ManagedFieldsOwner {
  readonly slab: Slab;
  readonly managed: ManagedFields;
  readonly labels = labelSets();
  readonly tuples = fieldTuples();
  private readonly rows = new RecordRows();
  private feeds = 0;

  constructor({ compressedAtOnce, ...options }: StoredObjectsOptions) {
    this.slab = new Slab(options);
    this.managed = new ManagedFields(this, compressedAtOnce === undefined ? undefined : () => compressedAtOnce);
  }

  /** A number for a feed, by which its records are kept together. */
  newFeed(): number {
    return ++this.feeds;
  }

  get count(): number {
    return this.rows.count;
  }

  /** What counts against the limit of the shard. */
  get bytes(): number {
    const { slab, managed, labels, tuples, rows } = this;
    return slab.allocated + managed.bytes + labels.bytes + tuples.bytes + rows.bytes;
  }

  /** Stores an item, with one reference. */
  add(read: Ingested, { feed, columns }: RecordContext, indexed: readonly string[]): number {
    const { item, object, key, managedFields } = read;
    const id = this.rows.add();
    const cut = managedFields.end - managedFields.start;
    const objectLength = object.end - object.start - cut;
    const rowHead = read.isRow ? object.start : 0;
    const rowTail = read.isRow ? item.length - object.end : 0;
    const length = key.length + objectLength + rowHead + rowTail;
    let labels = none;
    try {
      labels = this.labels.add(read.labels);
      this.copy(id, length, read);
    } catch (error) {
      if (labels !== none) this.labels.release(labels);
      this.rows.remove(id);
      throw error;
    }
    const cutAt = cut > 0 ? managedFields.start : Number.POSITIVE_INFINITY;
    const within = (at: number): number => at - object.start - (at > cutAt ? cut : 0);
    const set = (name: FieldName, value: number): void => this.rows.set(id, field[name], value);
    set('segment', this.slab.segment);
    set('offset', this.slab.offset);
    set('keyLength', key.length);
    set('objectLength', objectLength);
    set('rowHead', rowHead);
    set('rowTail', rowTail);
    set('nameAt', within(read.name.start));
    set('namespaceLength', read.namespace.end - read.namespace.start);
    if (read.namespace.end > 0) set('namespaceAt', within(read.namespace.start));
    set('versionLength', read.version.end - read.version.start);
    if (read.version.end > 0) set('versionAt', within(read.version.start));
    set('uidLength', read.uid.end - read.uid.start);
    if (read.uid.end > 0) set('uidAt', within(read.uid.start));
    set('metadataAt', within(read.metadata.start));
    set('metadataEnd', within(read.metadata.end));
    if (read.annotations > 0) set('annotationsAt', within(read.annotations));
    set('ownerLength', read.owner.end - read.owner.start);
    if (read.owner.end > 0) set('ownerAt', within(read.owner.start));
    if (read.typeMetaEnd > 0) set('typeMetaEnd', within(read.typeMetaEnd));
    if (cut > 0 && !read.isPruned) {
      set('managedAt', managedFields.start - object.start);
      this.managedMoved(id, young, this.managed.add(id, item, managedFields.start, managedFields.end));
    }
    set('labels', labels);
    set('fields', this.tuples.add(tupleText(indexed)));
    set('created', read.created);
    set('flags', flagsOf(read));
    set('columns', columns);
    set('feed', feed);
    set('uses', 1);
    return id;
  }

  get(id: number, name: FieldName): number {
    return this.rows.get(id, field[name]);
  }

  use(id: number): void {
    this.rows.set(id, field.uses, this.get(id, 'uses') + 1);
  }

  release(id: number): void {
    const uses = this.get(id, 'uses') - 1;
    if (uses > 0) {
      this.rows.set(id, field.uses, uses);
      return;
    }
    this.slab.free(this.get(id, 'segment'), this.size(id));
    this.labels.release(this.get(id, 'labels'));
    this.tuples.release(this.get(id, 'fields'));
    const block = this.get(id, 'managedBlock');
    if (block > 0) this.managed.release(block - 1, this.get(id, 'managedIndex'));
    this.rows.remove(id);
  }

  /** In bytes, in its segment. */
  size(id: number): number {
    return this.get(id, 'keyLength') + this.get(id, 'objectLength') + this.get(id, 'rowHead') + this.get(id, 'rowTail');
  }

  /** The segment that holds it; valid until anything is stored or compacted. */
  segmentOf(id: number): Buffer {
    return this.slab.bytesOf(this.get(id, 'segment'));
  }

  /** The offset of the object in the segment. */
  objectAt(id: number): number {
    return this.get(id, 'offset') + this.get(id, 'keyLength');
  }

  /** Valid until anything is stored or compacted. */
  object(id: number): Buffer {
    const at = this.objectAt(id);
    return this.segmentOf(id).subarray(at, at + this.get(id, 'objectLength'));
  }

  /** A copy. */
  key(id: number): Buffer {
    const at = this.get(id, 'offset');
    return Buffer.from(this.segmentOf(id).subarray(at, at + this.get(id, 'keyLength')));
  }

  keyText(id: number): string {
    const at = this.get(id, 'offset');
    return this.segmentOf(id).toString('utf8', at, at + this.get(id, 'keyLength'));
  }

  version(id: number): string {
    const at = this.objectAt(id) + this.get(id, 'versionAt');
    return this.segmentOf(id).toString('latin1', at, at + this.get(id, 'versionLength'));
  }

  uid(id: number): string {
    const at = this.objectAt(id) + this.get(id, 'uidAt');
    return this.segmentOf(id).toString('latin1', at, at + this.get(id, 'uidLength'));
  }

  /** Whether it has a deletionTimestamp. */
  isBeingDeleted(id: number): boolean {
    const object = this.object(id);
    let isFound = false;
    eachMember(object, this.get(id, 'metadataAt'), (key, value) => {
      isFound ||= spanIs(object, key, 'deletionTimestamp') && stringSpan(object, value) !== undefined;
      return isFound ? stop : undefined;
    });
    return isFound;
  }

  /** Keys are ordered by their bytes, as in etcd (PAGE-4). */
  compareKey(id: number, key: Uint8Array): number {
    const bytes = this.segmentOf(id);
    const at = this.get(id, 'offset');
    const length = this.get(id, 'keyLength');
    const shorter = Math.min(length, key.length);
    for (let i = 0; i < shorter; i++) {
      const difference = bytes[at + i]! - key[i]!;
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }

  /** By feeds, then by keys. */
  compare(one: number, other: number): number {
    const feeds = this.get(one, 'feed') - this.get(other, 'feed');
    if (feeds !== 0) return feeds;
    const at = this.get(other, 'offset');
    return this.compareKey(one, this.segmentOf(other).subarray(at, at + this.get(other, 'keyLength')));
  }

  /** Whether two records have the same object. managedFields are not compared: they never change alone. */
  isSame(one: number, other: number): boolean {
    if (one === other) return true;
    return this.object(one).equals(this.object(other));
  }

  /** Whether a record has the same object as an item. Only the presence of managedFields is compared. */
  holds(id: number, { item, object, managedFields, isPruned }: Ingested): boolean {
    const stored = this.object(id);
    const cut = managedFields.end - managedFields.start;
    if ((cut > 0 && !isPruned) !== this.get(id, 'managedBlock') > 0) return false;
    if (cut === 0) return stored.equals(item.subarray(object.start, object.end));
    const at = managedFields.start - object.start;
    return (
      stored.subarray(0, at).equals(item.subarray(object.start, managedFields.start)) &&
      stored.subarray(at).equals(item.subarray(managedFields.end, object.end))
    );
  }

  /** Undefined for an object without them. Valid until the next call. */
  managedFields(id: number): Buffer | undefined {
    const block = this.get(id, 'managedBlock');
    return block > 0 ? this.managed.text(block - 1, this.get(id, 'managedIndex')) : undefined;
  }

  /** Compacts until the time is up. Returns whether more is left to do. */
  compact(isTimeUp: () => boolean): boolean {
    if (this.slab.compact(this, isTimeUp)) return true;
    while (this.managed.compact()) if (isTimeUp()) return true;
    return false;
  }

  isAt(id: number, segment: number, offset: number): boolean {
    return this.get(id, 'uses') > 0 && this.get(id, 'segment') === segment && this.get(id, 'offset') === offset;
  }

  moved(id: number, segment: number, offset: number): void {
    this.rows.set(id, field.segment, segment);
    this.rows.set(id, field.offset, offset);
  }

  managedMoved(id: number, block: number, index: number): void {
    this.rows.set(id, field.managedBlock, block + 1);
    this.rows.set(id, field.managedIndex, index);
  }

  private copy(id: number, length: number, { item, object, key, managedFields, isRow }: Ingested): void {
    const target = this.slab.append(id, length);
    let at = this.slab.offset;
    const put = (source: Buffer, start: number, end: number): void => {
      at += source.copy(target, at, start, end);
    };
    put(key, 0, key.length);
    const hasManaged = managedFields.end > managedFields.start;
    put(item, object.start, hasManaged ? managedFields.start : object.end);
    if (hasManaged) put(item, managedFields.end, object.end);
    if (!isRow) return;
    put(item, 0, object.start);
    put(item, object.end, item.length);
  }
}

const flagsOf = ({ hasKind, isKindFirst, isRow, isIndexed }: Ingested): number =>
  (hasKind ? flag.hasKind : 0) |
  (isKindFirst ? flag.isKindFirst : 0) |
  (isRow ? flag.isRow : 0) |
  (isIndexed ? flag.isIndexed : 0);
