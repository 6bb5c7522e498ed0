/** A large JSON text, walked once in slices: who knows where its large values end can walk over the small ones (LIMIT-3). */

import { Pace } from '@fleet/client/pace.ts';
import { eachMember, type Span, skipSpace, skipValue } from '@fleet/kube/json-bytes.ts';
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from '@fleet/kube/json-signs.ts';

/** In bytes: what is larger is a large value. */
export const small = 32 * 1024;

/** In bytes: some milliseconds. */
const slice = 512 * 1024;

export class LargeText {
  readonly bytes: Buffer;
  /** By where they begin. */
  readonly #ends = new Map<number, number>();
  /** Where what is open began. */
  readonly #open: number[] = [];

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Of one that is not large nothing needs to be known. */
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

  /** Where the value that begins there ends. */
  endOf(start: number): number {
    return this.#ends.get(start) ?? skipValue(this.bytes, start);
  }

  /** Of the object that opens there. */
  eachMember(at: number, visit: (key: Span, value: Span) => void): void {
    eachMember(this.bytes, at, (key, start) => {
      const end = this.endOf(start);
      visit(key, { start, end });
      return end;
    });
  }

  /** Of the array that opens there. */
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

  /** A string is walked to its end; gives the place behind what was walked. */
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
