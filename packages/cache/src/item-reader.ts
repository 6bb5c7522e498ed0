/** Reads items of one feed into records. */

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
  /** None for a deletion that there was no memory for. */
  id: number;
  key: Buffer;
  /** The resource version of the event. */
  version: string;
}

/** Of objects that came without cells. */
export const noColumns = 0;

export class ItemReader {
  /** Rows with other columns cannot be shown in one Table. */
  columns: readonly ColumnDefinition[] | undefined;
  /** Counts the changes of the columns. */
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

  /** What is served already is used once more, not stored again. */
  readAgain(item: Buffer, served: OrderedKeys | undefined): { id: number; key: Buffer } {
    const read = this.ingest(item);
    const { key } = read;
    const known = served?.find(key) ?? none;
    const isKnown =
      known !== none && this.objects.get(known, 'columns') === this.columnsId && this.objects.holds(known, read);
    if (!isKnown) return { id: this.store(read), key };
    this.objects.use(known);
    return { id: known, key };
  }

  /** All of them, or none: what was stored is dropped where one cannot be. Deletions take no memory where there is none. */
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

  /** None where it does not. To find that out takes time: of a batch, once is enough. */
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
    const read = ingest(item, this.spec.namespaced, this.values);
    read.isPruned = this.spec.prunesManagedFields ?? false;
    this.times.check(read);
    return read;
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
