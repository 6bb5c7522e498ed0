/** Walks JSON as bytes, so that a view can change parts of a response without parsing the rest. */

import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-signs.ts';

/** The offsets of a string's content, without its quotes. */
export interface Span {
  start: number;
  end: number;
}

export class JsonBytesError extends Error {}

export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Members send compact JSON, so this loop rarely runs. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (isSpace(bytes[i])) i++;
  return i;
}

/** From an opening quote to just after the closing one. */
function skipString(bytes: Uint8Array, at: number): number {
  let i = at + 1;
  for (; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === backslash) i++;
    else if (byte === quote) return i + 1;
  }
  throw new JsonBytesError('unterminated string');
}

/** One function with local variables, strings included, for speed: most skipped bytes pass through here. */
function skipNested(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let depth = 0;
  let at = from;
  while (at < length) {
    const byte = bytes[at++]!;
    if (byte === quote) {
      for (let inside = bytes[at++]; inside !== quote; inside = bytes[at++]) {
        if (inside === backslash) at++;
        if (at >= length) throw new JsonBytesError('unterminated string');
      }
      continue;
    }
    // No bracket is below `[`; `[` and `]` differ from `{` and `}` in one bit only.
    if (byte < openBracket) continue;
    const bracket = byte | 0x20;
    if (bracket === openBrace) depth++;
    else if (bracket === closeBrace && --depth === 0) return at;
  }
  throw new JsonBytesError('unterminated object or array');
}

/** From a value's first byte to just after it. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first === openBrace || first === openBracket) return skipNested(bytes, at);
  let i = at;
  for (; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)) break;
  }
  if (i === at) throw new JsonBytesError(`no value at offset ${at}`);
  return i;
}

function expectByte(bytes: Uint8Array, at: number, byte: number): number {
  if (bytes[at] !== byte) throw new JsonBytesError(`expected ${String.fromCharCode(byte)} at offset ${at}`);
  return at + 1;
}

/** Returned by a visitor to end the walk. */
export const stop = -1;

/**
 * Visits `key: value` pairs of the object that opens at `at`; returns the offset after it.
 * A visitor that has walked the value returns the offset after it, so that it is not walked twice, or `stop`.
 */
export function eachMember(
  bytes: Uint8Array,
  at: number,
  visit: (key: Span, value: number) => number | undefined,
): number {
  let i = skipSpace(bytes, expectByte(bytes, at, openBrace));
  if (bytes[i] === closeBrace) return i + 1;
  for (;;) {
    if (bytes[i] !== quote) throw new JsonBytesError(`expected a key at offset ${i}`);
    const end = skipString(bytes, i);
    const key = { start: i + 1, end: end - 1 };
    const value = skipSpace(bytes, expectByte(bytes, skipSpace(bytes, end), colon));
    const after = visit(key, value);
    if (after === stop) return stop;
    i = skipSpace(bytes, after ?? skipValue(bytes, value));
    if (bytes[i] === closeBrace) return i + 1;
    i = skipSpace(bytes, expectByte(bytes, i, comma));
  }
}

/** Visits the values of the array that opens at `at`; returns the offset after it. */
export function eachElement(
  bytes: Uint8Array,
  at: number,
  visit: (value: number, index: number, end: number) => void,
): number {
  let i = skipSpace(bytes, expectByte(bytes, at, openBracket));
  if (bytes[i] === closeBracket) return i + 1;
  for (let index = 0; ; index++) {
    const end = skipValue(bytes, i);
    visit(i, index, end);
    i = skipSpace(bytes, end);
    if (bytes[i] === closeBracket) return i + 1;
    i = skipSpace(bytes, expectByte(bytes, i, comma));
  }
}

/** Keys of Kubernetes objects are plain ASCII, so comparing bytes compares keys. */
export function spanIs(bytes: Uint8Array, { start, end }: Span, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

export const isObject = (bytes: Uint8Array, at: number): boolean => bytes[at] === openBrace;
export const isArray = (bytes: Uint8Array, at: number): boolean => bytes[at] === openBracket;

/** The content of the string that opens at `at`; undefined if the value is not a string. */
export function stringSpan(bytes: Uint8Array, at: number): Span | undefined {
  if (bytes[at] !== quote) return undefined;
  return { start: at + 1, end: skipString(bytes, at) - 1 };
}
