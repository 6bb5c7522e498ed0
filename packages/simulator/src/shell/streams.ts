/** Standard input and output of a command, whatever is behind them. All of it ends with the session. */

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

export const noInput: Input = { read: async () => undefined };
export const discard: Write = async () => {};

/** Rejects as soon as the signal is aborted, also if what is waited for never comes. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise: settled, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return settled;
}

export const writeTo = (output: Output | undefined, signal: AbortSignal): Write =>
  output ? (text) => unlessAborted(output(typeof text === 'string' ? Buffer.from(text) : text), signal) : discard;

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

/** In bytes: no script has longer lines. */
const longestLine = 64 * 1024;

/** Input line by line. What a command reads in between is no line any more. */
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

  /** Without its end; undefined at the end of the input. */
  async line(): Promise<string | undefined> {
    const parts: Uint8Array[] = [];
    for (let length = 0; ; ) {
      const end = this.#held.indexOf(0x0a);
      const part = end < 0 ? this.#held : this.#held.subarray(0, end);
      parts.push(part);
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
