/** The events of a member's watch, read from its lines: what changed, and where the watch stands behind it. */

import { isDeepStrictEqual } from 'node:util';
import { errorOf } from '@fleet/client/kube-client.ts';
import { isRecord } from '@fleet/kube/is-record.ts';
import {
  eachElement,
  isArray,
  isObject,
  JsonBytesError,
  type Span,
  skipValue,
  stringSpan,
} from '@fleet/kube/json-bytes.ts';
import { areColumns, type ColumnDefinition, longestVersion } from '@fleet/kube/list-splitter.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import { eachKnownMember } from '@fleet/kube/plain-keys.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { Change } from '../feed-writer.ts';

/** Lines that came together. */
export interface ReadBatch {
  changes: Change[];
  /** Where the last whole event leads. */
  position: string;
  columns: readonly ColumnDefinition[] | undefined;
  /** Those that bring other columns, and all behind them: to be read when the rows in front of them are stored. */
  rest: readonly Buffer[];
  /** What stands behind the last of them: the member's ERROR event, or what cannot be read. */
  end: unknown;
}

/** What came whole counts, whatever stands behind it. `form`: what the list was made of. */
export function readBatch(lines: readonly Buffer[], from: string, form: 'row' | 'object'): ReadBatch {
  const batch: ReadBatch = { changes: [], position: from, columns: undefined, rest: [], end: undefined };
  try {
    for (const [index, line] of lines.entries()) {
      const { type, object } = readLine(line);
      if (type === 'ERROR') {
        batch.end = errorIn(line.subarray(object.start, object.end));
        break;
      }
      const { item, version, columns } = form === 'row' ? readTable(line, object) : readObject(line, object);
      if (columns && batch.changes.length > 0 && !isDeepStrictEqual(columns, batch.columns)) {
        batch.rest = lines.slice(index);
        break;
      }
      batch.columns = columns ?? batch.columns;
      if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
        if (!item) throw new JsonBytesError('an event without a row');
        batch.changes.push({ type, item });
      } else if (type !== 'BOOKMARK') throw new JsonBytesError('an event of an unknown type');
      if (version !== '') batch.position = version;
    }
  } catch (error) {
    batch.end = error;
  }
  return batch;
}

function readLine(line: Buffer): { type: string; object: Span } {
  let type = '';
  let object: Span | undefined;
  eachKnownMember(line, 0, ['type', 'object'], (name, value) => {
    if (name === 'type') type = textOf(line, stringSpan(line, value));
    if (name !== 'object' || !isObject(line, value)) return undefined;
    object = { start: value, end: skipValue(line, value) };
    return object.end;
  });
  if (!object || type === '') throw new JsonBytesError('an event without a type or an object');
  return { type, object };
}

interface ReadObject {
  item: Buffer | undefined;
  version: string;
  columns?: readonly ColumnDefinition[] | undefined;
}

function readObject(line: Buffer, { start, end }: Span): ReadObject {
  return { item: line.subarray(start, end), version: versionAt(line, start) };
}

/** One row, with its object; columns just in the first event of a watch. */
function readTable(line: Buffer, { start }: Span): ReadObject {
  let kind = '';
  let row: Span | undefined;
  let columns: readonly ColumnDefinition[] | undefined;
  eachKnownMember(line, start, ['kind', 'columnDefinitions', 'rows'], (name, value) => {
    if (name === 'kind') kind = textOf(line, stringSpan(line, value));
    if (name === 'columnDefinitions' && isArray(line, value)) columns = columnsIn(line, value);
    if (name !== 'rows' || !isArray(line, value)) return undefined;
    return eachElement(line, value, (at, index, end) => {
      if (index > 0 || !isObject(line, at)) throw new JsonBytesError('an event that is not of one row');
      row = { start: at, end };
    });
  });
  if (kind !== 'Table') throw new JsonBytesError('an event that is no Table in a watch of Tables');
  // The Table's own version is that of the object in its row.
  const version = versionAt(line, start) || (row ? versionInRow(line, row.start) : '');
  return { item: row && line.subarray(row.start, row.end), version, columns };
}

function columnsIn(line: Buffer, at: number): readonly ColumnDefinition[] | undefined {
  const columns: unknown = JSON.parse(line.toString('utf8', at, skipValue(line, at)));
  if (!areColumns(columns)) throw new JsonBytesError('columns that are none');
  return columns.length > 0 ? columns : undefined;
}

function versionInRow(line: Buffer, row: number): string {
  let version = '';
  eachKnownMember(line, row, ['object'], (name, value) => {
    if (name === 'object' && isObject(line, value)) version = versionAt(line, value);
    return undefined;
  });
  return version;
}

const onlyVersion = { isEvent: false, maps: false, others: true };

function versionAt(line: Buffer, at: number): string {
  const version = textOf(line, findObjectNames(line, at, onlyVersion).resourceVersion);
  if (version.length > longestVersion) throw new JsonBytesError('an event with a version that is too long');
  return version;
}

/** 410 where the member no longer has the events that follow. In a watch of Tables it is a Status all the same. */
function errorIn(status: Buffer): StatusError {
  const read: unknown = JSON.parse(status.toString());
  const code = isRecord(read) && typeof read['code'] === 'number' ? read['code'] : 500;
  return errorOf(code, status);
}

const textOf = (bytes: Buffer, span: Span | undefined): string =>
  span ? bytes.toString('utf8', span.start, span.end) : '';
