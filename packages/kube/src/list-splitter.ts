/** Splits a streamed Kubernetes list, or Table, into its head, its items as bytes, and its tail. */

import { type AnswerLease, unshared } from './answer-memory.ts';
import { GrowingBytes, TooLargeError } from './growing-bytes.ts';
import { isRecord } from './is-record.ts';
import { ItemEnds } from './item-ends.ts';
import { eachMember, isSpace, JsonBytesError, skipSpace, spanIs, stop } from './json-bytes.ts';
import { closeBracket, comma, openBrace, openBracket } from './json-signs.ts';
import type { ObjectNames } from './object-names.ts';
import { eachKnownMember } from './plain-keys.ts';
import { isPlainVersion } from './version-order.ts';

/** The list without its items: kind, metadata, a Table's columns. */
export interface ListEnvelope {
  kind?: string;
  apiVersion?: string;
  metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  columnDefinitions?: ColumnDefinition[];
}

export interface ColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}

/** Items that share the memory of one chunk. They must be released together, so they are passed on as one array. */
export interface Items extends Array<Buffer> {
  cutFrom?: Buffer;
  /** Where the names are in the item at that index, if already known. Kind, version and labels are not known. */
  namesOf?(index: number): ObjectNames | undefined;
}

export type ListPart =
  /** `text` is everything before the first item, the array's bracket included, or the whole list if it has no array. */
  | { is: 'head'; envelope: ListEnvelope; text: Buffer }
  | { is: 'items'; items: Items }
  /** `text` is everything after the last item. */
  | { is: 'end'; envelope: ListEnvelope; text: string };

const maxHead = 4 * 1024 * 1024;
/** A head is searched from its beginning: as often as is cheap, then only after enough new bytes. */
const searchesPerByte = 8;
const cheapSearch = 64 * 1024;
/** Chunks are joined up to a quarter of it. */
const mostAtOnce = 1024 * 1024;

/** Initial events of a watch repeat kind and apiVersion for each item. */
const longestKind = 512;
/** Clients send the members' resource versions back in URLs, all of them in one. A member that is itself a fleet has a few hundred. */
export const longestVersion = 16 * 1024;
const longestToken = 16 * 1024;

/** The offset where the list's array opens; undefined while it has not arrived yet. */
function findArray(bytes: Buffer): number | undefined {
  let found: number | undefined;
  try {
    eachMember(bytes, 0, (key, value) => {
      const isItems = spanIs(bytes, key, 'items') || spanIs(bytes, key, 'rows');
      if (!isItems || bytes[value] !== openBracket) return undefined;
      found = value;
      return stop;
    });
  } catch (error) {
    // The head is incomplete: use what was found so far.
    if (!(error instanceof JsonBytesError)) throw error;
  }
  return found;
}

const parseEnvelope = (text: string): ListEnvelope => {
  const parsed: unknown = JSON.parse(text);
  if (!isEnvelope(parsed)) throw new JsonBytesError('not a list');
  refuseOtherItems(Buffer.from(text), parsed.kind === 'Table');
  return parsed;
};

/** Clients would take unchecked items for the list's own. A Table has its kind before its rows. */
function refuseOtherItems(text: Buffer, isTable: boolean): void {
  eachKnownMember(text, skipSpace(text, 0), ['kind', 'apiVersion', 'items', 'rows', 'columnDefinitions'], (name) => {
    if (name === (isTable ? 'items' : 'rows')) throw new JsonBytesError(`${name} in a list of another kind`);
    return undefined;
  });
}

/** Checks only the fields that are used: one member with an invalid list must not break the merged list. */
function isEnvelope(value: unknown): value is ListEnvelope {
  if (!isRecord(value)) return false;
  const { kind, apiVersion, metadata, columnDefinitions: columns } = value;
  const isText = (text: unknown, longest: number) =>
    text === undefined || (typeof text === 'string' && text.length <= longest);
  const { resourceVersion, continue: token } = isRecord(metadata) ? (metadata as Record<string, unknown>) : {};
  const areTexts =
    [kind, apiVersion].every((text) => isText(text, longestKind)) && isText(resourceVersion, longestVersion);
  return (
    areTexts &&
    (typeof resourceVersion !== 'string' || isPlainVersion(resourceVersion)) &&
    isText(token, longestToken) &&
    (typeof token !== 'string' || token.isWellFormed()) &&
    (columns == null || areColumns(columns)) &&
    (metadata == null || isRecord(metadata))
  );
}

const isColumn = (value: unknown): boolean => isRecord(value) && typeof value['name'] === 'string';

/** Each row of a merged Table has a cell for each column of any member (SEC-3). */
export const mostColumns = 1_000;
/** In characters of JSON. Watchers are sent the columns again when they change. */
export const longestColumns = 256 * 1024;

/** A Table with more columns, or with invalid ones, is refused. */
export const areColumns = (value: unknown): value is ColumnDefinition[] =>
  Array.isArray(value) &&
  value.length <= mostColumns &&
  value.every(isColumn) &&
  JSON.stringify(value).length <= longestColumns;

/**
 * Throws when the body ends before its list does: a truncated list must never pass for a shorter one. Throws, too, at an item,
 * or a tail, that is too large (SEC-2).
 */
export async function* splitList(
  body: AsyncIterable<Buffer>,
  memory = unshared,
): AsyncGenerator<ListPart, void, undefined> {
  let head: Buffer | undefined;
  const limit = memory.objectLimit;
  const lease = memory.lease();
  using search = new HeadSearch(lease);
  using scanner = new ItemScanner(limit, lease);
  using tail = new GrowingBytes(limit, lease);
  const cut = (bytes: Buffer): Items => {
    const items: Items = [];
    const consumed = scanner.done ? 0 : scanner.scan(bytes, items);
    // Done before the items are yielded: the consumer may then reuse the chunk's memory.
    if (scanner.done) tail.append(bytes.subarray(consumed));
    return items;
  };
  for await (const chunk of body) {
    const waiting = lease.admitted();
    if (waiting) await waiting;
    let rest: Buffer = chunk;
    if (head === undefined) {
      const found = search.within(chunk);
      if (!found) continue;
      ({ head, rest } = found);
      yield headPart(head);
    }
    const items = cut(rest);
    items.cutFrom = chunk;
    if (items.length === 0) continue;
    yield { is: 'items', items };
    search.release();
    scanner.releaseItems();
  }
  if (head === undefined) {
    const found = search.atEnd();
    if (Buffer.isBuffer(found)) return yield* withoutItems(found);
    head = found.head;
    yield headPart(head);
    const items = cut(found.rest);
    if (items.length > 0) yield { is: 'items', items };
  }
  if (!scanner.done) throw new JsonBytesError('list ended within its items');
  const text = `]${tail.take().toString()}`;
  yield { is: 'end', envelope: parseEnvelope(`${head.toString()}${text}`), text };
}

/** `"items": null`, which Go writes for a nil slice, or no list. */
function* withoutItems(text: Buffer): Generator<ListPart, void, undefined> {
  const envelope = parseEnvelope(text.toString());
  const { items, rows } = envelope as { items?: unknown; rows?: unknown };
  if ((items !== null && rows !== null) || (items ?? rows) != null) throw new JsonBytesError('not a list');
  yield { is: 'head', envelope, text };
  yield { is: 'end', envelope, text: '' };
}

const headPart = (head: Buffer): ListPart => ({
  is: 'head',
  envelope: parseEnvelope(`${head.toString()}]}`),
  text: head,
});

interface Found {
  head: Buffer;
  rest: Buffer;
}

/** Searches the received bytes for the head of a list. */
class HeadSearch implements Disposable {
  private readonly pending: GrowingBytes;
  private searched = 0;

  constructor(lease: AnswerLease) {
    this.pending = new GrowingBytes(maxHead + mostAtOnce, lease);
  }

  within(chunk: Buffer): Found | undefined {
    // Nearly every head is in the first chunk, which is then not copied.
    const found = this.pending.length === 0 ? headIn(chunk) : undefined;
    if (found) return found;
    this.searched += this.pending.length === 0 ? chunk.length : 0;
    this.pending.append(chunk);
    const { length } = this.pending;
    if (length > maxHead) throw new JsonBytesError('no items within the first 4 MiB of a list');
    // Otherwise a head that arrives byte by byte would be searched once for each byte.
    if (this.searched > cheapSearch && this.searched + length > searchesPerByte * length) return undefined;
    this.searched += length;
    return headIn(this.pending.view());
  }

  /** The whole body, if it has no head. */
  atEnd(): Found | Buffer {
    const bytes = this.pending.take();
    return headIn(bytes) ?? bytes;
  }

  /** The bytes after the head are no longer needed. */
  release(): void {
    this.pending[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

function headIn(bytes: Buffer): Found | undefined {
  const array = findArray(bytes);
  if (array === undefined) return undefined;
  return { head: Buffer.from(bytes.subarray(0, array + 1)), rest: bytes.subarray(array + 1) };
}

/** Cuts items out of chunks; keeps its state between them, so no byte is scanned twice. */
class ItemScanner implements Disposable {
  done = false;
  private readonly ends = new ItemEnds();
  /** Whether the last chunk ended within an item; its bytes so far are in `carried`. */
  private within = false;
  private readonly carried: GrowingBytes;
  private readonly limit: number;

  constructor(limit: number, lease: AnswerLease) {
    this.limit = limit;
    this.carried = new GrowingBytes(limit, lease);
  }

  /** Appends whole items to `into`; returns how many bytes of the chunk belong to the array. */
  scan(bytes: Buffer, into: Buffer[]): number {
    let at = 0;
    for (const end of this.ends.find(bytes)) {
      if (!this.within) at = this.nextItem(bytes, at);
      if (this.done) return at;
      into.push(this.complete(bytes.subarray(at, end)));
      this.within = false;
      at = end;
    }
    if (!this.within) at = this.nextItem(bytes, at);
    if (this.done) return at;
    // Copied, so that the chunk's memory is free together with its items.
    if (this.within) this.carried.append(bytes.subarray(at));
    return bytes.length;
  }

  /** The items found so far are no longer needed. */
  releaseItems(): void {
    this.carried.releaseTaken();
  }

  [Symbol.dispose](): void {
    this.carried[Symbol.dispose]();
  }

  /** Where the next item opens; or just after the array's end; or the chunk's length, if neither has arrived. */
  private nextItem(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === openBrace) {
        this.within = true;
        return at;
      }
      if (byte === closeBracket) {
        this.done = true;
        return at + 1;
      }
      if (byte !== comma && !isSpace(byte)) throw new JsonBytesError('a list item that is not an object');
    }
    return bytes.length;
  }

  private complete(last: Buffer): Buffer {
    if (last.length > this.limit) throw new TooLargeError(this.limit);
    if (this.carried.length === 0) return last;
    this.carried.append(last);
    return this.carried.take();
  }
}
