/** Updates the ages in stored Table rows: a cached Table shows what the member would print now (CACHE-13). */

import { humanDuration } from '@fleet/kube/human-duration.ts';
import { eachMember, isArray, JsonBytesError, skipSpace, skipValue, spanIs, stop } from '@fleet/kube/json-bytes.ts';
import { comma, quote } from '@fleet/kube/json-signs.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { textOf } from './field-values.ts';
import type { Ingested } from './ingest.ts';
import { ObjectValues } from './object-values.ts';
import type { StoredObjects } from './stored-objects.ts';
import type { TimeColumn } from './time-columns.ts';

export class RowTimes {
  private readonly columns: readonly TimeColumn[];
  /** Columns whose meaning is guessed or unknown: each row is compared with what the member printed. */
  private readonly doubtful: readonly TimeColumn[];
  private readonly values: ObjectValues;

  constructor(columns: readonly TimeColumn[]) {
    this.columns = columns;
    this.doubtful = columns.filter(({ source: { is } }) => is === 'likely-creation' || is === 'other');
    this.values = new ObjectValues(columns.flatMap(({ source }) => (source.is === 'value' ? source.cell.paths : [])));
  }

  /** Writes a row up to its object. */
  writeHead(to: ChunkWriter, objects: StoredObjects, id: number, now: number): void {
    const bytes = objects.segmentOf(id);
    let from = objects.objectAt(id) + objects.get(id, 'objectLength');
    const end = from + objects.get(id, 'rowHead');
    for (const { start, behind, text } of this.changed(bytes, from, end, objects, id, now)) {
      to.copy(bytes, from, start);
      to.text(text);
      from = behind;
    }
    to.copy(bytes, from, end);
  }

  /** The first column whose cell would differ from what the member has just printed; undefined if there is none. */
  mismatch({ item, object, isRow, created }: Ingested, now: number): string | undefined {
    if (!isRow || this.columns.length === 0) return undefined;
    let mismatch: string | undefined;
    const hasCells = eachCell(item, 0, object.start, this.doubtful, ({ name, source }, start, behind) => {
      if (isFixed(item, start, behind)) return;
      const printed = textOf(item, { start: start + 1, end: behind - 1 });
      if (source.is === 'other' || !isAge(printed, now - created * 1_000)) mismatch ??= name;
    });
    // kube-apiserver writes the cells before the object: another order is not supported.
    return hasCells ? mismatch : this.columns[0]!.name;
  }

  /** Whether a stored row has the cells of one that the member has just printed, but for ages. */
  hasSameCells(objects: StoredObjects, id: number, { item, object, isRow }: Ingested): boolean {
    const bytes = objects.segmentOf(id);
    const from = objects.objectAt(id) + objects.get(id, 'objectLength');
    const stored = this.withoutTimes(bytes, from, from + objects.get(id, 'rowHead'));
    const printed = this.withoutTimes(item, 0, isRow ? object.start : 0);
    return stored.length === printed.length && stored.every((part, index) => part.equals(printed[index]!));
  }

  private withoutTimes(bytes: Buffer, from: number, end: number): Buffer[] {
    const parts: Buffer[] = [];
    let at = from;
    if (end > from) {
      ifReadable(() =>
        eachCell(bytes, from, end, this.columns, (_, start, behind) => {
          parts.push(bytes.subarray(at, start));
          at = behind;
        }),
      );
    }
    return [...parts, bytes.subarray(at, end)];
  }

  private changed(bytes: Buffer, from: number, end: number, objects: StoredObjects, id: number, now: number): Change[] {
    const changes: Change[] = [];
    let isRead = false;
    const since = ({ source }: TimeColumn): number | undefined => {
      if (source.is !== 'value') return objects.get(id, 'created') * 1_000 || undefined;
      return ifReadable(() => {
        if (!isRead) this.read(objects, id);
        isRead = true;
        return source.cell.since(this.values);
      });
    };
    ifReadable(() =>
      eachCell(bytes, from, end, this.columns, (column, start, behind) => {
        const text = textNow(bytes, start, behind, column, since, now);
        if (text !== undefined) changes.push({ start, behind, text });
      }),
    );
    return changes;
  }

  private read(objects: StoredObjects, id: number): void {
    const metadata = { start: objects.get(id, 'metadataAt'), end: objects.get(id, 'metadataEnd') };
    this.values.read(objects.object(id), 0, metadata);
  }
}

interface Change {
  start: number;
  behind: number;
  text: string;
}

/** Stored objects are not fully validated. Invalid JSON is passed on as the member sent it, and the client rejects it. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonBytesError)) throw error;
    return undefined;
  }
}

/** Visits the cells of these columns. Returns whether the row has cells before `end`. */
function eachCell(
  bytes: Buffer,
  from: number,
  end: number,
  columns: readonly TimeColumn[],
  visit: (column: TimeColumn, start: number, behind: number) => void,
): boolean {
  let hasCells = false;
  eachMember(bytes, skipSpace(bytes, from), (key, value) => {
    if (value >= end) return stop;
    if (!spanIs(bytes, key, 'cells')) return undefined;
    hasCells = isArray(bytes, value);
    if (!hasCells) return stop;
    let at = skipSpace(bytes, value + 1);
    let index = 0;
    for (const column of columns) {
      for (; index < column.index; index++) {
        const behind = skipSpace(bytes, skipValue(bytes, at));
        if (bytes[behind] !== comma) return stop;
        at = skipSpace(bytes, behind + 1);
      }
      visit(column, at, skipValue(bytes, at));
    }
    return stop;
  });
  return hasCells;
}

/** The cell's JSON as of now; undefined if it stays as it is. */
function textNow(
  bytes: Buffer,
  start: number,
  behind: number,
  column: TimeColumn,
  since: (column: TimeColumn) => number | undefined,
  now: number,
): string | undefined {
  if (isFixed(bytes, start, behind)) return undefined;
  const { source } = column;
  const isPart = source.is === 'value' && source.cell.isPart;
  if (isPart && bytes[behind - 2] !== closeParenthesis) return undefined;
  const time = since(column);
  if (time === undefined) return undefined;
  const duration = inJson(humanDuration(now - time));
  if (!isPart) return `"${duration}"`;
  const printed = bytes.toString('utf8', start, behind);
  const opened = printed.indexOf('(');
  return opened < 0 ? undefined : `${printed.slice(0, opened + 1)}${duration} ago)"`;
}

/** Go's JSON encoder escapes angle brackets. */
const inJson = (duration: string): string => (duration === '<invalid>' ? '\\u003cinvalid\\u003e' : duration);

/** Cells that do not change with time: no string, a full timestamp, or `<unknown>`. */
function isFixed(bytes: Buffer, start: number, behind: number): boolean {
  if (bytes[start] !== quote) return true;
  const isDigit = bytes[start + 1]! >= zero && bytes[start + 1]! <= nine;
  if (isDigit) return behind - start > longestDuration && bytes[start + 5] === dash;
  return bytes.toString('latin1', start + 1, behind - 1).includes('unknown');
}

const [zero, nine, dash, closeParenthesis] = [0x30, 0x39, 0x2d, 0x29];
/** Including its quotes; a timestamp such as `2026-01-01T00:00:00Z` is longer. */
const longestDuration = 12;

/** Within a second: the member printed it a moment ago, by its own clock. */
const isAge = (printed: string, age: number): boolean =>
  [0, -1_000, 1_000].some((off) => humanDuration(age + off) === printed);
