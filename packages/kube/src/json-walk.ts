/** Walks a JSON text as bytes in one pass and visits every string value: enough to change some strings and copy the rest. */

import { JsonBytesError, type Span, skipSpace, skipValue } from './json-bytes.ts';
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-signs.ts';

/** Object keys and array indexes from the root to a value. */
export type JsonPath = readonly (string | number)[];

/** Go's decoder has the same limit. */
const deepest = 10_000;

interface Frame {
  isObject: boolean;
  /** Of the current value: an object's key with its quotes, or an array's index. */
  key: Span;
  index: number;
  /** The offset of the comma before the current value, or -1 for the first. */
  comma: number;
  /** How many of the first members will be cut: then the comma before the next member has been cut with them. */
  cut: number;
}

const none: ReadonlySet<string | number> = new Set();

/**
 * `visit` gets the same object for each string, updated in place; `marked` are keys that `isMarked` looks for at any depth.
 * Throws JsonBytesError if the bytes are not JSON, as far as the walk needs to understand them.
 */
export function eachString(bytes: Buffer, visit: (string: JsonString) => void, marked = none): void {
  const string = new JsonString(bytes, marked);
  const { frames } = string;
  let at = skipSpace(bytes, 0);
  for (;;) {
    // A value begins here.
    const byte = bytes[at];
    if (byte === openBrace || byte === openBracket) {
      if (frames.length === deepest) throw new JsonBytesError('exceeded max depth');
      const frame = { isObject: byte === openBrace, key: { start: at, end: at }, index: 0, comma: -1, cut: 0 };
      const inside = skipSpace(bytes, at + 1);
      if (bytes[inside] !== (frame.isObject ? closeBrace : closeBracket)) {
        frames.push(frame);
        at = frame.isObject ? readKey(bytes, inside, frame) : inside;
        continue;
      }
      at = inside + 1;
    } else {
      const end = skipValue(bytes, at);
      if (byte === quote) {
        string.start = at;
        string.end = end;
        visit(string);
      }
      at = end;
    }
    // A value has ended; its containers may end, too.
    for (;;) {
      at = skipSpace(bytes, at);
      const frame = frames.at(-1);
      if (!frame) {
        if (at < bytes.length) throw new JsonBytesError(`text after the value at offset ${at}`);
        return;
      }
      if (bytes[at] === comma) {
        frame.comma = at;
        frame.index++;
        string.forget(frames.length - 1);
        at = skipSpace(bytes, at + 1);
        if (frame.isObject) at = readKey(bytes, at, frame);
        break;
      }
      if (bytes[at] !== (frame.isObject ? closeBrace : closeBracket)) {
        throw new JsonBytesError(`expected a comma or an end at offset ${at}`);
      }
      frames.pop();
      string.forget(frames.length);
      at++;
    }
  }
}

/** Stores the key; returns where its value begins. */
function readKey(bytes: Buffer, at: number, frame: Frame): number {
  if (bytes[at] !== quote) throw new JsonBytesError(`expected a key at offset ${at}`);
  const end = skipValue(bytes, at);
  frame.key = { start: at, end };
  const after = skipSpace(bytes, end);
  if (bytes[after] !== colon) throw new JsonBytesError(`expected : at offset ${after}`);
  return skipSpace(bytes, after + 1);
}

/** Most strings have no escapes, and JSON.parse is expensive. */
function textOf(bytes: Buffer, start: number, end: number): string {
  const inner = bytes.subarray(start + 1, end - 1);
  if (!inner.includes(backslash)) return inner.toString();
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string;
  } catch (cause) {
    throw new JsonBytesError(`a string with a wrong escape at offset ${start}`, { cause });
  }
}

/** The current string value. One object for all of them, as a body may hold a million and few are used. */
export class JsonString {
  /** With its quotes. */
  start = 0;
  end = 0;
  readonly frames: Frame[] = [];
  private readonly bytes: Buffer;
  private readonly marked: ReadonlySet<string | number>;
  /** The keys of the frames, as far as they were read and have not changed since: deep texts hold many strings. */
  private readonly keys: (string | number)[] = [];
  private known = 0;
  /** The index of the first marked key, or -1. */
  private markedAt = -1;

  constructor(bytes: Buffer, marked: ReadonlySet<string | number>) {
    this.bytes = bytes;
    this.marked = marked;
  }

  text(): string {
    return textOf(this.bytes, this.start, this.end);
  }

  get depth(): number {
    return this.frames.length;
  }

  /** Object keys and array indexes from the root; valid until the next string. */
  path(): JsonPath {
    const { frames, keys, bytes } = this;
    for (; this.known < frames.length; this.known++) {
      const { isObject, key, index } = frames[this.known]!;
      keys[this.known] = isObject ? textOf(bytes, key.start, key.end) : index;
      if (this.markedAt < 0 && this.marked.has(keys[this.known]!)) this.markedAt = this.known;
    }
    keys.length = frames.length;
    return keys;
  }

  /** Whether a key on its path is marked. */
  isMarked(): boolean {
    this.path();
    return this.markedAt >= 0;
  }

  /** The frames at this depth and deeper have changed. */
  forget(depth: number): void {
    this.known = Math.min(this.known, depth);
    if (this.markedAt >= depth) this.markedAt = -1;
  }

  /** Whether the string may have this ending: one with escapes may have any. */
  couldEndWith(ending: Buffer): boolean {
    const { bytes, start, end } = this;
    const from = end - 1 - ending.length;
    if (from > start && bytes.compare(ending, 0, ending.length, from, end - 1) === 0) return true;
    return bytes.subarray(start, end).includes(backslash);
  }

  /** Whether the object key of this string may be one of these. */
  couldBeUnder(keys: ReadonlySet<string>): boolean {
    const frame = this.frames.at(-1);
    return frame?.isObject === true && keys.has(textOf(this.bytes, frame.key.start, frame.key.end));
  }

  /** The bytes to cut to remove the string from its object, key and comma included; undefined within an array. The caller must cut it. */
  member(): Span | undefined {
    const frame = this.frames.at(-1);
    if (!frame?.isObject) return undefined;
    if (frame.index > frame.cut) return { start: frame.comma, end: this.end };
    frame.cut++;
    const after = skipSpace(this.bytes, this.end);
    return { start: frame.key.start, end: this.bytes[after] === comma ? after + 1 : this.end };
  }
}
