/** Finds the ends of a list's items with SIMD (see item-ends.wat), as every merged list passes through here. */

import { itemEndsModule } from './generated/item-ends.ts';
import { JsonBytesError } from './json-bytes.ts';

/** The module's exports; TypeScript has the types of WebAssembly only for browsers. */
interface Exports {
  memory: { buffer: ArrayBuffer };
  scan(length: number): number;
}
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Exports };
};

const compiled = new WebAssembly.Module(Buffer.from(itemEndsModule, 'base64'));
const { memory, scan } = new WebAssembly.Instance(compiled).exports;
const { buffer } = memory;

/** Bytes per scan; small enough to stay in the processor's nearer caches. */
const windowSize = 32 * 1024;
/** Used when only the first end is needed: most skipped values are shorter. */
const shortWindow = 2 * 1024;
const state = new Int32Array(buffer, 0, 4);
const input = new Uint8Array(buffer, 1024, windowSize);
const ends = new Int32Array(buffer, 67_584, windowSize / 2 + 1);

/** The state of one body between its chunks; all share one memory, which is used only within a call. */
export class ItemEnds {
  private depth = 0;
  private inString = 0;
  private escaped = 0;

  /**
   * Returns the offset just after each bracket that closes the outermost open one. It only counts brackets: the caller
   * checks the bytes between the items, and ignores all ends after a syntax error.
   */
  find(bytes: Uint8Array): number[] {
    const found: number[] = [];
    for (let from = 0; from < bytes.length; from += windowSize) {
      const window = bytes.subarray(from, from + windowSize);
      const count = this.scanWindow(window);
      for (let i = 0; i < count; i++) found.push(from + ends[i]!);
    }
    return found;
  }

  /** The first end; undefined if there is none. */
  first(bytes: Uint8Array): number | undefined {
    for (let from = 0; from < bytes.length; from += shortWindow) {
      if (this.scanWindow(bytes.subarray(from, from + shortWindow)) > 0) return from + ends[0]!;
    }
    return undefined;
  }

  private scanWindow(window: Uint8Array): number {
    input.set(window);
    state[0] = this.depth;
    state[1] = this.inString;
    state[2] = this.escaped;
    const count = scan(window.length);
    this.depth = state[0];
    this.inString = state[1];
    this.escaped = state[2];
    if (state[3] !== 0) throw new JsonBytesError('a backslash outside a string');
    return count;
  }
}

/** The offset just after the object or array that opens at `at`: several times as fast as `skipValue` for long values. */
export function skipLong(bytes: Uint8Array, at: number): number {
  const end = new ItemEnds().first(bytes.subarray(at));
  if (end === undefined) throw new JsonBytesError('unterminated object or array');
  return at + end;
}
