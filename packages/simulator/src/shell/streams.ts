/** Standard input and output of a command, whatever they are connected to. They end with the session. */

import type { Output } from '@fleet/apiserver/connect/connector.ts';

export interface Input {
  /** Undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
}

export type Write = (text: string | Uint8Array) => Promise<void>;

export interface Streams {
  stdin: Input;
  stdout: Write;
  stderr: Write;
}

export const inputOfText = (text: string): Input => {
  let left: string | undefined = text;
  return {
    async read() {
      // Lazy: most inputs of a command with many redirections are never read.
      const value = left === undefined ? undefined : Buffer.from(left);
      left = undefined;
      return value;
    },
  };
};

export const noInput: Input = { read: async () => undefined };
export const discard: Write = async () => {};

/** Rejects as soon as the signal aborts, even if the promise never settles. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // It may reject for the same reason, and nothing awaits it any more: Node would end the process.
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  const { promise: settled, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return settled;
}

export const writeTo = (output: Output | undefined, signal: AbortSignal): Write =>
  output ? (text) => unlessAborted(output(typeof text === 'string' ? Buffer.from(text) : text), signal) : discard;

/** In characters, per write. */
const longestPiece = 16 * 1024;
/** In characters: the output that a command may build from its arguments, which can be far longer than they are. */
const mostOutput = 1024 * 1024;

/** Writes in pieces. Returns false if the texts exceed the limit, after writing the part that fits. */
export async function writeInPieces(write: Write, texts: Iterable<string>, most = mostOutput): Promise<boolean> {
  let left = most;
  let piece = '';
  for (const text of texts) {
    if (text.length > left) {
      await write(piece);
      return false;
    }
    left -= text.length;
    for (const part of slicesOf(text)) {
      if (piece.length + part.length > longestPiece) {
        await write(piece);
        piece = '';
      }
      piece += part;
    }
  }
  if (piece !== '') await write(piece);
  return true;
}

/** Never splits a surrogate pair, as its halves cannot be encoded. */
function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const last = at + longestPiece - 1;
    const end = last < text.length - 1 && text.codePointAt(last)! > 0xffff ? last : last + 1;
    yield text.slice(at, end);
    at = end;
  }
}

export function inputOf(source: AsyncIterable<Uint8Array> | undefined, signal: AbortSignal): Input {
  if (!source) return noInput;
  const iterator = source[Symbol.asyncIterator]();
  return {
    async read() {
      const { value, done } = await unlessAborted(iterator.next(), signal);
      return done ? undefined : value;
    },
  };
}

/** In bytes: the longest line of a script. */
const longestLine = 64 * 1024;

/** Reads input line by line. Commands may read from it in between. */
export class Lines implements Input {
  readonly #input: Input;
  #held = Buffer.alloc(0);
  #isOver = false;

  constructor(input: Input) {
    this.#input = input;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#held.length === 0) return this.#isOver ? undefined : this.#input.read();
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  /** Without its line end; undefined at the end of the input. */
  async line(): Promise<string | undefined> {
    const parts: Uint8Array[] = [];
    for (let length = 0; ; ) {
      const end = this.#held.indexOf(0x0a);
      const part = end < 0 ? this.#held : this.#held.subarray(0, end);
      if (part.length > 0) parts.push(part);
      length += part.length;
      if (length > longestLine) throw new RangeError('line too long');
      if (end >= 0) {
        this.#held = this.#held.subarray(end + 1);
        return Buffer.concat(parts).toString();
      }
      const next = this.#isOver ? undefined : await this.#input.read();
      this.#held = Buffer.from(next ?? []);
      if (next) continue;
      this.#isOver = true;
      return length === 0 ? undefined : Buffer.concat(parts).toString();
    }
  }
}
