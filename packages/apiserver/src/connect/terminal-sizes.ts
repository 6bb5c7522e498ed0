/** The sizes of a client's terminal: JSON objects, one after the other. A slow reader gets only the last one. */

import type { TerminalSize } from './connector.ts';

/** In characters, of one object. */
const longest = 1024;

export class TerminalSizes implements AsyncIterable<TerminalSize> {
  #text = '';
  #latest: TerminalSize | undefined;
  #isOver = false;
  #arrived = Promise.withResolvers<void>();

  /** An invalid size ends them, as with Go's decoder. */
  take(piece: Uint8Array): void {
    if (this.#isOver) return;
    const objects = `${this.#text}${Buffer.from(piece).toString('latin1')}`.split('}');
    this.#text = objects.pop()!;
    for (const object of objects) this.#read(`${object}}`);
    if (this.#text.length > longest) this.end();
  }

  end(): void {
    this.#isOver = true;
    this.#text = '';
    this.#arrived.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      const latest = this.#latest;
      this.#latest = undefined;
      if (latest) yield latest;
      else if (this.#isOver) return;
      else await this.#arrived.promise;
    }
  }

  #read(text: string): void {
    const size = sizeOf(text);
    if (!size) {
      this.end();
      return;
    }
    this.#latest = size;
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }
}

const isDimension = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff;

/** As in Go, names are case-insensitive, and missing ones are 0. */
function sizeOf(text: string): TerminalSize | undefined {
  try {
    const fields = Object.entries(JSON.parse(text)).map(([name, value]) => [name.toLowerCase(), value] as const);
    const { width = 0, height = 0 } = Object.fromEntries(fields) as Record<string, unknown>;
    return isDimension(width) && isDimension(height) ? { width, height } : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
