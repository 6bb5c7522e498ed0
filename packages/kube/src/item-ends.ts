/** Finds where a list's items end: all of a list passes through here, so it is done by SIMD, see item-ends.wat. */

import { itemEndsModule } from './generated/item-ends.ts';
import { JsonBytesError } from './json-bytes.ts';

/** What the module exports; the types of WebAssembly come with a browser's only. */
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

/** What is scanned at once; small enough to stay in the processor's nearer caches. */
const windowSize = 32 * 1024;
/** Where only the first end is looked for: most of what is skipped is shorter. */
const shortWindow = 2 * 1024;
const state = new Int32Array(buffer, 0, 4);
const input = new Uint8Array(buffer, 1024, windowSize);
const ends = new Int32Array(buffer, 67_584, windowSize / 2 + 1);

/** One body's place between chunks; all share the one memory, which is used only within a call. */
export class ItemEnds {
  private depth = 0;
  private inString = 0;
  private escaped = 0;

  /**
   * Gives the offsets just behind each bracket that closes the outermost one open. Told is only what nests: whoever
   * asks checks what stands between items, and believes nothing behind what it finds wrong there.
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

  /** The first of them; undefined if there is none. */
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

/** Just behind the object or array that opens at `at`: several times as fast as `skipValue` where that is long. */
export function skipLong(bytes: Uint8Array, at: number): number {
  const end = new ItemEnds().first(bytes.subarray(at));
  if (end === undefined) throw new JsonBytesError('unterminated object or array');
  return at + end;
}
