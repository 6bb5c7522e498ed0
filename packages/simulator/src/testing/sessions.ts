/** Sessions for tests: the client's input, and the received output. */

import type { CommandSession, TerminalSize } from '@fleet/apiserver/connect/connector.ts';

/** Values are pushed one by one; ends when it is closed. */
export class Pushed<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #isClosed = false;
  #wake = Promise.withResolvers<void>();

  push(...values: T[]): void {
    this.#values.push(...values);
    this.#wake.resolve();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift()!;
      if (this.#isClosed) return;
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }
}

export class TestSession {
  readonly stdin = new Pushed<Uint8Array>();
  readonly resizes = new Pushed<TerminalSize>();
  readonly ending = new AbortController();
  out = '';
  error = '';
  #wake = Promise.withResolvers<void>();

  type(text: string): void {
    this.stdin.push(Buffer.from(text));
  }

  /** Resolves as soon as the output since the last call ends with this text. */
  async until(end: string): Promise<string> {
    while (!this.out.endsWith(end)) {
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
    const { out } = this;
    this.out = '';
    return out;
  }

  session(command: readonly string[], options: Partial<CommandSession> = {}): CommandSession {
    const take = (chunk: Uint8Array, field: 'out' | 'error') => {
      this[field] += Buffer.from(chunk).toString();
      this.#wake.resolve();
    };
    return {
      container: 'app',
      command,
      tty: false,
      stdin: undefined,
      stdout: async (chunk) => take(chunk, 'out'),
      stderr: options.tty ? undefined : async (chunk) => take(chunk, 'error'),
      resizes: this.resizes,
      signal: this.ending.signal,
      ...options,
    };
  }
}
