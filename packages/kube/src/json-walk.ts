/** One pass over a JSON text in bytes, telling of every string value where it stands: enough to change some and copy the rest. */

import { JsonBytesError, type Span, skipSpace, skipValue } from './json-bytes.ts';
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-signs.ts';

/** Object keys and array indexes from the root to a value. */
export type JsonPath = readonly (string | number)[];

/** Go's decoder gives up at this depth too. */
const deepest = 10_000;

interface Frame {
  isObject: boolean;
  /** Of the value under way: an object's key with its quotes, an array's index. */
  key: Span;
  index: number;
  /** Where the comma before the value under way stands, or -1 for the first. */
  comma: number;
  /** How many of its first members have been asked to be cut: then a comma in front of the next has gone with them. */
  cut: number;
}

const none: ReadonlySet<string | number> = new Set();

/**
 * `visit` gets one object, moved on from string to string; `marked` are keys it can ask for at any depth.
 * Throws JsonBytesError for what is no JSON, as far as the walk needs to understand it.
 */
export function eachString(bytes: Buffer, visit: (string: JsonString) => void, marked = none): void {
  const string = new JsonString(bytes, marked);
  const { frames } = string;
  let at = skipSpace(bytes, 0);
  for (;;) {
    // Here a value begins.
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
    // Here a value has ended: its containers may end too.
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

/** Remembers the key; returns where its value begins. */
function readKey(bytes: Buffer, at: number, frame: Frame): number {
  if (bytes[at] !== quote) throw new JsonBytesError(`expected a key at offset ${at}`);
  const end = skipValue(bytes, at);
  frame.key = { start: at, end };
  const after = skipSpace(bytes, end);
  if (bytes[after] !== colon) throw new JsonBytesError(`expected : at offset ${after}`);
  return skipSpace(bytes, after + 1);
}

/** Most strings have no escapes, and parsing costs. */
function textOf(bytes: Buffer, start: number, end: number): string {
  const inner = bytes.subarray(start + 1, end - 1);
  if (!inner.includes(backslash)) return inner.toString();
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string;
  } catch (cause) {
    throw new JsonBytesError(`a string with a wrong escape at offset ${start}`, { cause });
  }
}

/** The string value under way. One object for all of them: a body may hold a million, and few are looked at. */
export class JsonString {
  /** With its quotes. */
  start = 0;
  end = 0;
  readonly frames: Frame[] = [];
  private readonly bytes: Buffer;
  private readonly marked: ReadonlySet<string | number>;
  /** Of the frames, as far as they have been read and have not changed since: deep texts hold many strings. */
  private readonly keys: (string | number)[] = [];
  private known = 0;
  /** Of the first of these keys that is marked, or -1. */
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

  /** Object keys and array indexes from the root to it; as it is until the next string. */
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

  /** The frame at this depth and those within are others now. */
  forget(depth: number): void {
    this.known = Math.min(this.known, depth);
    if (this.markedAt >= depth) this.markedAt = -1;
  }

  /** Whether it may end so: what has escapes may be anything. */
  mayEndWith(ending: Buffer): boolean {
    const { bytes, start, end } = this;
    const from = end - 1 - ending.length;
    if (from > start && bytes.compare(ending, 0, ending.length, from, end - 1) === 0) return true;
    return bytes.subarray(start, end).includes(backslash);
  }

  /** Whether its key in an object may be one of these. */
  mayBeUnder(keys: ReadonlySet<string>): boolean {
    const frame = this.frames.at(-1);
    return frame?.isObject === true && keys.has(textOf(this.bytes, frame.key.start, frame.key.end));
  }

  /** What to cut to take it out of its object, key and comma included; undefined within an array. Whoever asks must cut it. */
  member(): Span | undefined {
    const frame = this.frames.at(-1);
    if (!frame?.isObject) return undefined;
    if (frame.index > frame.cut) return { start: frame.comma, end: this.end };
    frame.cut++;
    const after = skipSpace(this.bytes, this.end);
    return { start: frame.key.start, end: this.bytes[after] === comma ? after + 1 : this.end };
  }
}
