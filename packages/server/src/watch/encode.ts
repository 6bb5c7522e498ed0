/** Encodes a member's events and objects as events of a view. Only this file changes the bytes of a watch. */

import { skipLong } from '@fleet/kube/item-ends.ts';
import {
  eachElement,
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  type Span,
  skipValue,
  spanIs,
} from '@fleet/kube/json-bytes.ts';
import { areColumns, type ColumnDefinition, type ListEnvelope } from '@fleet/kube/list-splitter.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import { oneLine } from '@fleet/kube/one-line.ts';
import { eachKnownMember } from '@fleet/kube/plain-keys.ts';
import type { SourceBatch, SourceEvent } from '../merge/source.ts';
import type { AskedObjects } from '../present/asked-objects.ts';
import {
  type Marking,
  mergedMarkingOf,
  objectInsertions,
  rowInsertions,
  rowKeys,
  spliced,
} from '../present/marking.ts';
import { remapRow } from '../present/table-columns.ts';
import type { ClusterName, View } from '../target/target.ts';
import { WatchedColumns } from './columns.ts';
import { Encodings } from './encodings.ts';
import type { EventBatch, WatchEvent } from './event.ts';

export interface WatchShape {
  view: View;
  isEvent: boolean;
  asked: AskedObjects | undefined;
  form: 'object' | 'Table' | 'PartialObjectMetadata';
  /** Rows of a Table are sent without their objects. */
  bare?: boolean;
}

/** Initial events have no position: they are sent before their cluster has one. */
type EventPlace = Pick<WatchEvent, 'version' | 'position'>;

const newline = Buffer.from('\n');

export class EventEncoder {
  private readonly shape: WatchShape;
  private readonly encodings: Encodings;
  private readonly key: string;
  private readonly columns: WatchedColumns;
  /** The columns of batches that have them once for all rows. */
  private readonly sent = new Map<ClusterName, readonly ColumnDefinition[]>();
  private readonly markings = new Map<ClusterName, Marking>();

  /** `key`: equal for encoders of the same view of the same resource. */
  constructor(shape: WatchShape, encodings = new Encodings(), key = '') {
    this.shape = shape;
    this.encodings = encodings;
    this.key = key;
    this.columns = new WatchedColumns(shape.view.annotated !== undefined, shape.isEvent, (columns) =>
      encodings.layout(columns),
    );
  }

  /** Adds the columns of a member's Table, which may have no rows. */
  learn(cluster: ClusterName, { columnDefinitions }: ListEnvelope): void {
    if (!columnDefinitions) return;
    this.columns.learn(cluster, columnDefinitions);
    this.sent.delete(cluster);
  }

  /** The columns in which rows are sent; undefined before the first Table. */
  get shownColumns(): readonly ColumnDefinition[] | undefined {
    return this.columns.shown.length > 0 ? this.columns.shown : undefined;
  }

  /** Encodes a member's batch, once for all watches of the same shape if the batch is shared (WATCH-1). */
  batch(cluster: ClusterName, { events, resumable, isShared, columns }: SourceBatch): EventBatch {
    const isTable = this.shape.form === 'Table';
    if (isTable) this.learnColumns(cluster, columns);
    const make = () => this.encode(cluster, events, resumable, columns !== undefined);
    if (!isShared || this.key === '') return make();
    return this.encodings.batch(events, this.key, isTable ? this.columns.shown : undefined, make);
  }

  private learnColumns(cluster: ClusterName, columns: readonly ColumnDefinition[] | undefined): void {
    if (columns && columns !== this.sent.get(cluster)) this.columns.learn(cluster, columns);
    if (columns) this.sent.set(cluster, columns);
    else this.sent.delete(cluster);
  }

  /** `resumable`: an event's version is a position to resume from. `isKnown`: the columns are known already. */
  private encode(
    cluster: ClusterName,
    happened: readonly SourceEvent[],
    resumable: boolean,
    isKnown: boolean,
  ): EventBatch {
    const marking = this.markingOf(cluster);
    const maps = resumable && this.shape.view.versions === 'maps';
    if (this.shape.form === 'Table') {
      return joinedTables(
        cluster,
        happened.map((event) => this.tableOf(cluster, event, maps, isKnown)),
      );
    }
    const batch = joined(
      cluster,
      happened.map(({ line, read: { object, version }, position }) => ({
        version,
        position,
        pieces: [...spliced(line, objectInsertions(line, object.start, marking)), newline],
      })),
    );
    if (!maps) return batch;
    // Insertions come after the beginning of the object, so its offset is unchanged.
    const events = batch.events.map((event, index) => versionable(event, happened[index]!.read.object.start));
    return { ...batch, events };
  }

  /** Encodes the items of a member's initial list as ADDED events. */
  initial(cluster: ClusterName, items: readonly Buffer[], head: ListEnvelope): EventBatch {
    const marking = this.markingOf(cluster);
    if (this.shape.form === 'Table') {
      const events = items.map((item) => {
        const { version, row } = readRow(oneLine(item), this.shape.bare ?? false);
        return this.tableEvent(cluster, 'ADDED', { version, position: '' }, [this.row(cluster, row)]);
      });
      return joinedTables(cluster, events);
    }
    const open = Buffer.from('{"type":"ADDED","object":');
    const close = Buffer.from('}\n');
    const kind = Buffer.from(
      `{"kind":${JSON.stringify(head.kind?.replace(/List$/, ''))},"apiVersion":${JSON.stringify(head.apiVersion)},`,
    );
    return joined(
      cluster,
      items.map((received) => {
        const item = oneLine(received);
        const object = [...spliced(item, objectInsertions(item, 0, marking))];
        // Items of built-in lists have no kind, but events do. Lists with their kind after the items
        // are of custom resources, whose items have one.
        const isKnown = head.kind === undefined || hasKind(item);
        if (!isKnown) refuseVersion(item, head.apiVersion ?? '');
        const sent = isKnown ? object : [kind, object[0]!.subarray(1), ...object.slice(1)];
        return { version: '', position: '', pieces: [open, ...sent, close] };
      }),
    );
  }

  private tableOf(
    cluster: ClusterName,
    { line, read, position }: SourceEvent,
    maps: boolean,
    isKnown: boolean,
  ): WatchEvent {
    const { type, object, version } = read;
    const rows: Buffer[] = [];
    let columns: Span | undefined;
    eachKnownMember(line, object.start, ['columnDefinitions', 'rows'], (key, value) => {
      if (!isArray(line, value)) return undefined;
      if (key === 'columnDefinitions') {
        columns = { start: value, end: skipValue(line, value) };
        return columns.end;
      }
      if (key !== 'rows') return undefined;
      return eachElement(line, value, (row, _, end) => {
        rows.push(line.subarray(row, end));
      });
    });
    if (columns && !isKnown) this.columns.learn(cluster, columnsIn(line.subarray(columns.start, columns.end)));
    const shown = rows.map((row) => this.row(cluster, row));
    const event = this.tableEvent(cluster, type, { version, position }, shown);
    if (!maps) return event;
    // A row is sent in the current columns, even if the client resumes from before they changed.
    const layout = event.table?.columns;
    return {
      ...event,
      withVersion: (map) => this.tableEvent(cluster, type, { version: map, position }, shown, layout),
    };
  }

  private row(cluster: ClusterName, own: Buffer): Buffer {
    const mapping = this.columns.mappingOf(cluster);
    const row = mapping ? remapRow(own, mapping) : own;
    return Buffer.concat([...spliced(row, rowInsertions(row, this.columns.named, this.markingOf(cluster)))]);
  }

  private tableEvent(
    cluster: ClusterName,
    type: string,
    at: EventPlace,
    rows: readonly Buffer[],
    columns = this.columns.shown,
  ): WatchEvent {
    const metadata = `{"resourceVersion":${JSON.stringify(at.version)}}`;
    const open = `{"type":"${type}","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"columnDefinitions":`;
    const close = Buffer.concat([
      Buffer.from(',"rows":['),
      ...rows.flatMap((row, index) => (index === 0 ? [row] : [Buffer.from(','), row])),
      Buffer.from(']}}\n'),
    ]);
    return {
      cluster,
      ...at,
      bytes: Buffer.concat([Buffer.from(`${open}null`), close]),
      table: { columns, withColumns: () => Buffer.concat([Buffer.from(open + JSON.stringify(columns)), close]) },
    };
  }

  private markingOf(cluster: ClusterName): Marking {
    const { view, isEvent, asked } = this.shape;
    const known = this.markings.get(cluster) ?? mergedMarkingOf(view, cluster, isEvent, asked);
    this.markings.set(cluster, known);
    return known;
  }
}

/** The offset of its version in the object's metadata. */
function versionable(event: WatchEvent, object: number): WatchEvent {
  const { bytes } = event;
  const span = findObjectNames(bytes, object, { isEvent: false, maps: false }).resourceVersion;
  if (!span) return event;
  const [before, behind] = [bytes.subarray(0, span.start), bytes.subarray(span.end)];
  return { ...event, withVersion: (version) => ({ bytes: Buffer.concat([before, Buffer.from(version), behind]) }) };
}

function columnsIn(json: Buffer): ColumnDefinition[] {
  const columns: unknown = JSON.parse(json.toString());
  if (!areColumns(columns)) throw new JsonBytesError('a Table with invalid or too many columns');
  return columns;
}

const joinedTables = (cluster: ClusterName, events: readonly WatchEvent[]): EventBatch => ({
  cluster,
  events,
  bytes: Buffer.concat(events.map(({ bytes }) => bytes)),
});

/** One Buffer for all: the events are slices of it. */
function joined(cluster: ClusterName, made: readonly (EventPlace & { pieces: Buffer[] })[]): EventBatch {
  const bytes = Buffer.concat(made.flatMap(({ pieces }) => pieces));
  let at = 0;
  const events = made.map(({ version, position, pieces }) => {
    const start = at;
    for (const piece of pieces) at += piece.length;
    return { cluster, version, position, bytes: bytes.subarray(start, at) };
  });
  return { cluster, events, bytes };
}

/** An item of a Go type begins with its kind, if it has one. */
function hasKind(item: Buffer): boolean {
  let has = false;
  eachMember(item, 0, (key) => {
    has = spanIs(item, key, 'apiVersion') || spanIs(item, key, 'kind');
    return -1;
  });
  return has;
}

/**
 * Throws for an item with an `apiVersion` of its own, which would come after the inserted one, and count. Fields of pods before it
 * are usually the same, so few items are parsed.
 */
function refuseVersion(item: Buffer, apiVersion: string): void {
  const same = `:${JSON.stringify(apiVersion)}`;
  for (let at = item.indexOf(versionKey); at !== -1; at = item.indexOf(versionKey, at + 1)) {
    const behind = at + versionKey.length;
    if (item.toString('latin1', behind, behind + same.length) === same) continue;
    eachMember(item, 0, (key) => {
      if (spanIs(item, key, 'apiVersion')) throw new JsonBytesError('an item with a version, but no kind');
      return undefined;
    });
    return;
  }
}

const versionKey = Buffer.from('"apiVersion"');

/** The version of a row's object, which is the event's, and the row, without its object if `bare`. */
function readRow(row: Buffer, bare: boolean): { version: string; row: Buffer } {
  let read = { version: '', row };
  eachKnownMember(row, 0, rowKeys, (key, value) => {
    if (key !== 'object' || !isObject(row, value)) return undefined;
    const span = findObjectNames(row, value, { isEvent: false, maps: false }).resourceVersion;
    const end = skipLong(row, value);
    const without = () => Buffer.concat([row.subarray(0, value), nothing, row.subarray(end)]);
    read = { version: span ? row.toString('utf8', span.start, span.end) : '', row: bare ? without() : row };
    return end;
  });
  return read;
}

const nothing = Buffer.from('null');
