/** Cuts a streamed Kubernetes list, or Table, into its head, its items as bytes, and its tail. */

import { ItemEnds } from './item-ends.ts';
import { eachMember, isSpace, JsonBytesError, spanIs, stop } from './json-bytes.ts';
import { closeBracket, comma, openBrace, openBracket } from './json-signs.ts';

/** What surrounds the items: kind, metadata, a Table's columns. */
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

/** Items that share the memory of a chunk. A copy of the array does not know it: only all of them are all that is in it. */
export interface Items extends Array<Buffer> {
  cutFrom?: Buffer;
}

export type ListPart =
  /** `text` is what stands before the first item, the array's bracket included, or all there is if there is no array. */
  | { is: 'head'; envelope: ListEnvelope; text: Buffer }
  | { is: 'items'; items: Items }
  /** `text` is what stands behind the last item. */
  | { is: 'end'; envelope: ListEnvelope; text: string };

const maxHead = 4 * 1024 * 1024;

/** Where the list's array opens, or undefined while it has not come yet. */
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
    // Not all of it is here yet: what was found so far counts.
    if (!(error instanceof JsonBytesError)) throw error;
  }
  return found;
}

const parseEnvelope = (text: string): ListEnvelope => {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new JsonBytesError('not a list');
  return parsed;
};

/** Throws when the body ends before its list does: a cut answer must never pass for a shorter one. */
export async function* splitList(body: AsyncIterable<Buffer>): AsyncGenerator<ListPart, void, undefined> {
  let head: Buffer | undefined;
  let pending: Buffer = Buffer.alloc(0);
  const scanner = new ItemScanner();
  let tail = '';
  for await (const chunk of body) {
    let rest: Buffer = chunk;
    if (head === undefined) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const array = findArray(pending);
      if (array === undefined) {
        if (pending.length > maxHead) throw new JsonBytesError('no items within the first 4 MiB of a list');
        continue;
      }
      head = Buffer.from(pending.subarray(0, array + 1));
      rest = pending.subarray(array + 1);
      yield { is: 'head', envelope: parseEnvelope(`${head.toString()}]}`), text: head };
    }
    if (scanner.done) {
      tail += rest.toString();
      continue;
    }
    const items: Items = [];
    items.cutFrom = chunk;
    const consumed = scanner.scan(rest, items);
    // Before the items go: whoever has done with them may use the chunk's memory again.
    if (scanner.done) tail += rest.toString('utf8', consumed);
    if (items.length > 0) yield { is: 'items', items };
  }
  if (head === undefined) {
    // `"items": null`, which Go writes for a nil slice, or no list at all.
    const envelope = parseEnvelope(pending.toString());
    if (!('items' in envelope) && !('rows' in envelope)) throw new JsonBytesError('not a list');
    yield { is: 'head', envelope, text: pending };
    yield { is: 'end', envelope, text: '' };
    return;
  }
  if (!scanner.done) throw new JsonBytesError('list ended within its items');
  yield { is: 'end', envelope: parseEnvelope(`${head.toString()}]${tail}`), text: `]${tail}` };
}

/** Cuts items out of chunks; keeps its place between them, so no byte is looked at twice. */
class ItemScanner {
  done = false;
  private readonly ends = new ItemEnds();
  /** Whether a chunk ended within an item; its bytes so far. */
  private within = false;
  private carried: Buffer[] = [];

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
    // Copied, so that the chunk is free when its items are.
    if (this.within) this.carried.push(Buffer.from(bytes.subarray(at)));
    return bytes.length;
  }

  /** Where the next item opens; or just behind the array's end; or the chunk's length, if it tells neither. */
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
      if (byte !== comma && !isSpace(byte)) throw new JsonBytesError('a list item that is no object');
    }
    return bytes.length;
  }

  private complete(last: Buffer): Buffer {
    if (this.carried.length === 0) return last;
    const whole = Buffer.concat([...this.carried, last]);
    this.carried = [];
    return whole;
  }
}
