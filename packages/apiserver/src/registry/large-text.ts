/** Scans a large JSON text once in slices, and records where its large values end, so that they can be skipped (LIMIT-3). */

import { Pace } from '@fleet/client/pace.ts';
import { eachMember, type Span, skipSpace, skipValue } from '@fleet/kube/json-bytes.ts';
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from '@fleet/kube/json-signs.ts';

/** In bytes: longer values are large. */
export const small = 32 * 1024;

/** In bytes: some milliseconds. */
const slice = 512 * 1024;

export class LargeText {
  readonly bytes: Buffer;
  /** By their start offsets. */
  readonly #ends = new Map<number, number>();
  /** Start offsets of the open values. */
  readonly #open: number[] = [];

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** For a text that is not large, which needs no scan. */
  static unwalked(bytes: Buffer): LargeText {
    return new LargeText(bytes);
  }

  static async walked(bytes: Buffer, pace = new Pace()): Promise<LargeText> {
    const text = new LargeText(bytes);
    for (let at = 0; at < bytes.length; ) {
      await pace.rest();
      at = text.#walk(at, Math.min(at + slice, bytes.length));
    }
    return text;
  }

  /** The end offset of the value that starts there. */
  endOf(start: number): number {
    return this.#ends.get(start) ?? skipValue(this.bytes, start);
  }

  /** Visits the members of the object that opens there. */
  eachMember(at: number, visit: (key: Span, value: Span) => void): void {
    eachMember(this.bytes, at, (key, start) => {
      const end = this.endOf(start);
      visit(key, { start, end });
      return end;
    });
  }

  /** Visits the elements of the array that opens there. */
  eachElement(at: number, visit: (value: Span) => void): void {
    const { bytes } = this;
    let start = skipSpace(bytes, at + 1);
    while (bytes[start] !== closeBracket) {
      const end = this.endOf(start);
      visit({ start, end });
      start = skipSpace(bytes, end);
      if (bytes[start] === comma) start = skipSpace(bytes, start + 1);
    }
  }

  /** Scans strings to their end; returns the offset after the scanned part. */
  #walk(from: number, to: number): number {
    const { bytes } = this;
    const open = this.#open;
    let at = from;
    while (at < to) {
      const byte = bytes[at++]!;
      if (byte === quote) {
        const start = at - 1;
        for (let inside = bytes[at++]; inside !== quote && at <= bytes.length; inside = bytes[at++])
          if (inside === backslash) at++;
        if (at - start > small) this.#ends.set(start, at);
      } else if (byte === openBrace || byte === openBracket) open.push(at - 1);
      else if (byte === closeBrace || byte === closeBracket) {
        const start = open.pop() ?? 0;
        if (at - start > small) this.#ends.set(start, at);
      }
    }
    return at;
  }
}
