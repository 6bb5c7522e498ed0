/** Parses and stores the items of one feed: turns a member's bytes into record numbers. */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import { CacheFullError, type Change, type ChangeType } from './feed-writer.ts';
import { fieldsOf, type SelectableField } from './field-paths.ts';
import { FieldValues } from './field-values.ts';
import { type Ingested, ingest } from './ingest.ts';
import type { FeedSpec } from './messages.ts';
import { indexedValues } from './object-filter.ts';
import type { OrderedKeys } from './ordered-keys.ts';
import { none, type StoredObjects } from './stored-objects.ts';
import type { TableTimes } from './table-times.ts';

export interface ReadChange {
  type: ChangeType;
  /** `none` for a deletion whose object did not fit into memory. */
  id: number;
  key: Buffer;
  /** The resource version of the event. */
  version: string;
}

/** The `columnsId` of objects that came without Table cells. */
export const noColumns = 0;

export class ItemReader {
  /** Rows with other columns cannot be shown in one Table. */
  columns: readonly ColumnDefinition[] | undefined;
  /** Incremented with each change of the columns, so that each record knows which columns its cells have. */
  columnsId = noColumns;
  private readonly spec: FeedSpec;
  private readonly objects: StoredObjects;
  private readonly fields: readonly SelectableField[];
  private readonly values: FieldValues;
  private readonly feed: number;
  private readonly times: TableTimes;

  constructor(spec: FeedSpec, objects: StoredObjects, times: TableTimes) {
    this.times = times;
    this.spec = spec;
    this.objects = objects;
    this.fields = fieldsOf(spec);
    this.values = new FieldValues(this.fields);
    this.feed = objects.newFeed();
  }

  /** Reads an item of a relist. An object that is served unchanged is referenced, not stored again. */
  readAgain(item: Buffer, served: OrderedKeys | undefined): { id: number; key: Buffer } {
    const read = this.ingest(item);
    const { key } = read;
    const known = served?.find(key) ?? none;
    // A printer column may read another field than before, which no column definition shows.
    const isKnown = this.isServed(known, read) && this.times.hasSameCells(this.objects, known, read);
    if (!isKnown) return { id: this.store(read), key };
    this.objects.use(known);
    return { id: known, key };
  }

  /** Whether the object of a row is served as it is, with other cells. */
  hasOtherCells(row: Buffer, served: OrderedKeys): boolean {
    const read = this.read(row);
    const known = served.find(read.key);
    return this.isServed(known, read) && !this.times.hasSameCells(this.objects, known, read);
  }

  /** All or nothing: if one change cannot be stored, all are released. Only the object of a deletion is optional: it may not fit. */
  readChanges(changes: readonly Change[]): ReadChange[] {
    const read: ReadChange[] = [];
    let isFull = false;
    try {
      for (const { type, item } of changes) {
        const ingested = this.ingest(item);
        const id: number = type === 'DELETED' ? this.storeIfFits(ingested, isFull) : this.store(ingested);
        isFull ||= id === none;
        read.push({ type, id, key: ingested.key, version: versionOf(ingested) });
      }
    } catch (error) {
      for (const { id } of read) if (id !== none) this.objects.release(id);
      throw error;
    }
    return read;
  }

  /** `none` if it does not fit. `isFull`: it was already tried in this batch, and trying reclaims memory, which takes time. */
  private storeIfFits(read: Ingested, isFull: boolean): number {
    if (isFull) return none;
    try {
      return this.store(read);
    } catch (error) {
      if (error instanceof CacheFullError) return none;
      throw error;
    }
  }

  private ingest(item: Buffer): Ingested {
    const read = this.read(item);
    this.times.check(read);
    return read;
  }

  private read(item: Buffer): Ingested {
    const read = ingest(item, this.spec.namespaced, this.values);
    read.isPruned = this.spec.prunesManagedFields ?? false;
    return read;
  }

  /** Under the same columns. */
  private isServed(id: number, read: Ingested): boolean {
    return id !== none && this.objects.get(id, 'columns') === this.columnsId && this.objects.holds(id, read);
  }

  private store(read: Ingested): number {
    return this.objects.add(
      read,
      { feed: this.feed, columns: this.columnsId },
      indexedValues(this.fields, read.fields),
    );
  }
}

const versionOf = ({ item, version }: Ingested): string => item.toString('latin1', version.start, version.end);
