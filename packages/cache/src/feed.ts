/** One feed of a shard, that is one resource of one cluster: a reflector fills it, and reads and watches are answered from it. */

import { isDeepStrictEqual } from 'node:util';
import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { Difference } from './difference.ts';
import { CacheFullError, type Change, type FeedWriter, type Relist } from './feed-writer.ts';
import type { HistoryBytes, HistoryLimits } from './history.ts';
import { ItemReader, noColumns } from './item-reader.ts';
import type { LostVersions } from './lost-versions.ts';
import type { FeedSpec, FeedState, Health } from './messages.ts';
import { OrderedKeys } from './ordered-keys.ts';
import { isCurrent, ResourceTable, releaseEach, releaseKeys } from './resource-table.ts';
import type { Work } from './sliced-work.ts';
import { none, type StoredObjects } from './stored-objects.ts';
import { TableTimes } from './table-times.ts';

/** What a shard gives each of its feeds. */
export interface FeedContext {
  objects: StoredObjects;
  historyBytes: HistoryBytes;
  /** Of removed clusters, whose deletions are kept until watches have read them: they are no part of the limit. */
  goodbyeBytes: HistoryBytes;
  historyLimits: HistoryLimits;
  lost: LostVersions;
  /** In bytes, for the histories of all feeds together. */
  mostHistory(): number;
  now(): number;
  /** A state number that no feed has had: a reader that knew the feed before it was dropped gets `floor`, not another state. */
  newSeq(): number;
  /** Called when its state has changed. */
  changed(feed: Feed): void;
  /** Does work that may be long in slices. */
  later(work: Work): void;
}

/** Objects of a removed cluster that are reported as deleted in one batch. */
const deletedAtOnce = 500;

export class Feed implements FeedWriter {
  readonly spec: FeedSpec;
  readonly reader: ItemReader;
  readonly times: TableTimes;
  /** Undefined until the first list is complete. */
  table: ResourceTable | undefined;
  /** Its cluster was removed: its objects are being reported as deleted. */
  isLeaving = false;
  /** When the last of them was reported. */
  leftAt: number | undefined;
  private readonly context: FeedContext;
  private health: Health = { is: 'filling' };
  private full: { objects: number } | undefined;
  private heard: number | undefined;
  private isRemoved = false;
  /** Of a table that was dropped. */
  private lastPosition: string | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(spec: FeedSpec, context: FeedContext) {
    this.spec = spec;
    this.context = context;
    this.times = new TableTimes(spec, context.now);
    this.reader = new ItemReader(spec, context.objects, this.times);
  }

  get position(): string | undefined {
    return this.table?.position;
  }

  get state(): FeedState {
    const { spec, health, table, full, heard } = this;
    return {
      feed: spec.id,
      health,
      filled: table !== undefined && !this.isLeaving,
      objects: table?.keys.size ?? 0,
      bytes: this.bytes,
      ...(full ? { full } : {}),
      ...(table ? { position: table.position } : {}),
      ...(heard === undefined ? {} : { heard }),
    };
  }

  /** Whether any state that can be read has an object. */
  get hasHeldObjects(): boolean {
    const { table } = this;
    return table !== undefined && (table.keys.size > 0 || table.history.length > 0);
  }

  /** Of its stored objects and their index; what feeds share, such as label sets, does not count. */
  get bytes(): number {
    const { table } = this;
    return table ? table.storedBytes + table.keys.bytes : 0;
  }

  report(health: Health): void {
    this.health = health;
    this.context.changed(this);
  }

  relist(form: 'row' | 'object'): Relist {
    this.refuseRemoved();
    const { context, reader } = this;
    const keys = new OrderedKeys(context.objects);
    this.times.beginList();
    let isOpen = true;
    let difference: Difference | undefined;
    const abandon = (): void => {
      const used = difference?.used();
      if (used) context.later((isTimeUp) => releaseEach(context.objects, used, isTimeUp));
      difference = undefined;
    };
    const close = (): void => {
      abandon();
      if (isOpen) context.later((isTimeUp) => releaseKeys(context.objects, keys, isTimeUp));
      isOpen = false;
    };
    return {
      add: (items) => {
        this.refuseRemoved();
        this.heard = context.now();
        abandon();
        try {
          for (const item of items) {
            const { id, key } = reader.readAgain(item, this.table?.keys);
            // Pages of a list may repeat an object, if they were read at different versions.
            const before = keys.put(id, key);
            if (before >= 0) context.objects.release(before);
          }
        } catch (error) {
          const { size } = keys;
          close();
          this.dropIfFull(error, size);
          throw error;
        }
      },
      prepare: (position, { wentBack = false }, isTimeUp) => {
        this.refuseRemoved();
        const { table } = this;
        if (!isCurrent(difference, table, position, wentBack)) abandon();
        if (!table) return false;
        difference ??= table.differenceTo(keys, position, wentBack);
        return difference.run(isTimeUp);
      },
      commit: (position, { wentBack = false } = {}) => {
        this.refuseRemoved();
        isOpen = false;
        const { table } = this;
        if (!isCurrent(difference, table, position, wentBack)) abandon();
        if (wentBack) this.loseVersions();
        const columns = form === 'row' ? reader.columnsId : noColumns;
        if (table) this.replace(table, difference ?? table.differenceTo(keys, position, wentBack), columns);
        else this.table = this.firstTable(keys, position, columns);
        difference = undefined;
        this.full = undefined;
        this.times.commitList();
        this.trim();
        this.wake();
      },
      [Symbol.dispose]: close,
    };
  }

  apply(changes: readonly Change[], position: string): void {
    this.refuseRemoved();
    if (!this.table) throw new Error('events before the first list');
    try {
      this.table.apply(this.reader.readChanges(changes), position);
    } catch (error) {
      this.dropIfFull(error, this.table.keys.size);
      throw error;
    }
    this.trim();
    this.wake();
  }

  columns(columns: readonly ColumnDefinition[]): boolean {
    if (isDeepStrictEqual(columns, this.reader.columns)) return false;
    this.reader.columns = columns;
    this.reader.columnsId++;
    this.times.begin(columns);
    return this.table !== undefined;
  }

  hasOtherCells(row: Buffer): boolean {
    return this.table !== undefined && this.reader.hasOtherCells(row, this.table.keys);
  }

  /** The object with this key in the newest state; undefined if there is none. */
  known(key: string): { uid: string; version: string } | undefined {
    const found = this.table?.keys.find(Buffer.from(key)) ?? none;
    const { objects } = this.context;
    return found === none ? undefined : { uid: objects.uid(found), version: objects.version(found) };
  }

  /** Whether the newest state shows that an object is gone, that another has its name or, unless `isGone`, that it is being deleted. */
  hasGone(key: string, uid: string, isGone = false): boolean {
    if (!this.table) return false;
    const found = this.table.keys.find(Buffer.from(key));
    const { objects } = this.context;
    return found === none || objects.uid(found) !== uid || (!isGone && objects.isBeingDeleted(found));
  }

  trim(): void {
    const { historyLimits, now, mostHistory } = this.context;
    this.table?.history.trim(historyLimits, now(), mostHistory());
  }

  /** Resolves when something has changed; rejects with the signal's reason. */
  nextChange(signal?: AbortSignal, wait?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.waiting.delete(done);
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        resolve();
      };
      const aborted = (): void => {
        done();
        reject(signal!.reason);
      };
      const timer = wait === undefined ? undefined : setTimeout(done, wait);
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener('abort', aborted, { once: true });
      this.waiting.add(done);
    });
  }

  /** Its cluster was removed: watches are sent all objects as deleted, then `goodbye`. */
  leave(): void {
    this.isRemoved = true;
    this.isLeaving = true;
    this.table?.history.countIn(this.context.goodbyeBytes);
    this.context.later((isTimeUp) => {
      while (this.table?.removeSome(deletedAtOnce)) {
        this.wake();
        if (isTimeUp()) return true;
      }
      this.leftAt = this.context.now();
      this.wake();
      return false;
    });
  }

  /** Ends all reads and watches, and frees its memory. */
  remove(): void {
    this.isRemoved = true;
    this.drop();
  }

  /** None of its versions so far stands for a state of the member any more. */
  loseVersions(): void {
    const newest = this.position ?? this.lastPosition;
    if (newest !== undefined) this.context.lost.add(this.spec, newest);
  }

  private firstTable(keys: OrderedKeys, position: string, columns: number): ResourceTable {
    const { context, spec } = this;
    const options = { ...context, spec, seq: context.newSeq(), lostUpTo: context.lost.of(spec) };
    return new ResourceTable(options, keys, position, columns);
  }

  private replace(table: ResourceTable, difference: Difference, columns: number): void {
    const { objects, later } = this.context;
    difference.run(() => false);
    table.replace(difference, columns);
    const replaced = difference.replaced.values();
    later((isTimeUp) => releaseEach(objects, replaced, isTimeUp));
  }

  private wake(): void {
    this.heard = this.context.now();
    for (const done of [...this.waiting]) done();
    this.context.changed(this);
  }

  private drop(): void {
    const { table } = this;
    this.table = undefined;
    this.lastPosition = table?.position ?? this.lastPosition;
    if (table) this.context.later((isTimeUp) => table.releaseSome(isTimeUp));
    this.wake();
  }

  /** A feed that does not fit is dropped whole (CACHE-18): clients would take a part of it for all there is. */
  private dropIfFull(error: unknown, objects: number): void {
    if (!(error instanceof CacheFullError)) return;
    this.full = { objects: Math.max(objects, this.table?.keys.size ?? 0) };
    this.drop();
  }

  private refuseRemoved(): void {
    const { cluster, resource } = this.spec;
    if (this.isRemoved) throw new Error(`the feed of ${resource} of cluster "${cluster}" has been removed`);
  }
}
