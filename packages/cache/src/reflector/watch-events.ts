/** Parses the lines of a member's watch into changes, and the position after them. */

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
import { readEvent } from '@fleet/kube/watch-event.ts';
import type { Change } from '../feed-writer.ts';

/** The result of lines that arrived together. */
export interface ReadBatch {
  changes: Change[];
  /** The resource version after the last complete event. */
  position: string;
  columns: readonly ColumnDefinition[] | undefined;
  /** From the first line with new columns on: to be read once the rows before it are stored. */
  rest: readonly Buffer[];
  /** What ends the watch after these changes: the member's ERROR event, or a parse error. */
  end: unknown;
}

/** Events before an error are kept. `form`: what the list consisted of. */
export function readBatch(lines: readonly Buffer[], from: string, form: 'row' | 'object'): ReadBatch {
  const batch: ReadBatch = { changes: [], position: from, columns: undefined, rest: [], end: undefined };
  try {
    for (const [index, line] of lines.entries()) {
      const { type, object } = readEvent(line);
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

interface ReadObject {
  item: Buffer | undefined;
  version: string;
  columns?: readonly ColumnDefinition[] | undefined;
}

function readObject(line: Buffer, { start, end }: Span): ReadObject {
  return { item: line.subarray(start, end), version: versionAt(line, start) };
}

/** A Table with one row and its object. Only the first event of a watch has columns. */
function readTable(line: Buffer, { start }: Span): ReadObject {
  let kind = '';
  let row: Span | undefined;
  let columns: readonly ColumnDefinition[] | undefined;
  eachKnownMember(line, start, ['kind', 'columnDefinitions', 'rows'], (name, value) => {
    if (name === 'kind') kind = textOf(line, stringSpan(line, value));
    if (name === 'columnDefinitions' && isArray(line, value)) columns = columnsIn(line, value);
    if (name !== 'rows' || !isArray(line, value)) return undefined;
    return eachElement(line, value, (at, index, end) => {
      if (index > 0 || !isObject(line, at))
        throw new JsonBytesError('an event with several rows, or with an invalid one');
      row = { start: at, end };
    });
  });
  if (kind !== 'Table') throw new JsonBytesError('an event that is not a Table, in a watch of Tables');
  // The Table's own version is that of the object in its row.
  const version = versionAt(line, start) || (row ? versionInRow(line, row.start) : '');
  return { item: row && line.subarray(row.start, row.end), version, columns };
}

function columnsIn(line: Buffer, at: number): readonly ColumnDefinition[] | undefined {
  const columns: unknown = JSON.parse(line.toString('utf8', at, skipValue(line, at)));
  if (!areColumns(columns)) throw new JsonBytesError('invalid columnDefinitions');
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

/** Such as 410, if the member has compacted the events that follow. It is a Status in a watch of Tables, too. */
function errorIn(status: Buffer): StatusError {
  const read: unknown = JSON.parse(status.toString());
  const code = isRecord(read) && typeof read['code'] === 'number' ? read['code'] : 500;
  return errorOf(code, status);
}

const textOf = (bytes: Buffer, span: Span | undefined): string =>
  span ? bytes.toString('utf8', span.start, span.end) : '';
