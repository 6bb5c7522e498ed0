/** The terminal of an interactive session: line editing, echo, interrupts, and its size. */

import type { CommandSession, TerminalSize } from '@fleet/apiserver/connect/connector.ts';
import { LineEditor, type Typed } from './line-editor.ts';
import { type Input, unlessAborted, type Write, writeTo } from './streams.ts';

/** Ctrl-C. */
export class Interrupted extends Error {}

/** Lines and ends (Ctrl-D) that are typed ahead while a command runs. */
const mostTypedAhead = 256;
const bell = '\x07';
/** In characters, per write. */
const longestEcho = 16 * 1024;

export class Terminal implements Input {
  size: TerminalSize = { width: 80, height: 24 };
  readonly #editor = new LineEditor();
  readonly #output: Write;
  readonly #signal: AbortSignal;
  readonly #typed: Typed[] = [];
  #arrived = Promise.withResolvers<void>();
  #foreground: AbortController | undefined;
  /** Of the session, or of the running command. */
  #current: AbortSignal;
  /** The client sends nothing more. */
  #isOver = false;
  /** Serialises all writes. */
  #written: Promise<void> = Promise.resolve();

  constructor({ stdout, signal }: CommandSession) {
    this.#output = writeTo(stdout, signal);
    this.#signal = signal;
    this.#current = signal;
  }

  readonly write: Write = (text) => {
    const plain = typeof text === 'string' ? text : Buffer.from(text).toString();
    const shown = plain.replaceAll('\n', '\r\n');
    this.#written = this.#written.then(() => this.#output(shown));
    return this.#written;
  };

  /** Reads keys and sizes until both have ended. */
  async serve({ stdin, resizes }: CommandSession): Promise<void> {
    await Promise.all([this.#readSizes(resizes), stdin ? this.#readKeys(stdin) : undefined]);
  }

  async #readSizes(resizes: AsyncIterable<TerminalSize>): Promise<void> {
    for await (const size of resizes) this.size = size;
  }

  async #readKeys(stdin: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stdin) {
      let echo = '';
      for (const sign of decoder.decode(chunk, { stream: true })) {
        const { echo: shown, typed } = this.#editor.key(sign);
        echo += shown;
        if (typed) echo += this.#take(typed);
        // An arrow key echoes a whole line: the client must receive it before the next.
        if (echo.length < longestEcho) continue;
        await this.write(echo);
        echo = '';
      }
      if (echo !== '') await this.write(echo);
    }
    this.#isOver = true;
    this.#take({ is: 'end' });
  }

  #take(typed: Typed): string {
    if (typed.is === 'interrupt') {
      // Drops what was typed ahead, as terminals do.
      this.#typed.length = 0;
      if (this.#foreground) {
        this.#foreground.abort(new Interrupted());
        return '';
      }
    }
    // A second end would have no effect on the next reader.
    if (typed.is === 'end' && this.#typed.at(-1)?.is === 'end') return '';
    if (this.#typed.length >= mostTypedAhead) return bell;
    this.#typed.push(typed);
    this.#arrived.resolve();
    return '';
  }

  /** Undefined at the end of the input; throws Interrupted. */
  async line(): Promise<string | undefined> {
    while (this.#typed.length === 0) {
      if (this.#isOver) return undefined;
      this.#arrived = Promise.withResolvers();
      await unlessAborted(this.#arrived.promise, this.#current);
    }
    const typed = this.#typed.shift()!;
    switch (typed.is) {
      case 'line':
        return typed.line;
      case 'end':
        return undefined;
      case 'interrupt':
        throw new Interrupted();
      default:
        return typed satisfies never;
    }
  }

  async read(): Promise<Uint8Array | undefined> {
    const line = await this.line();
    return line === undefined ? undefined : Buffer.from(`${line}\n`);
  }

  /** While it runs, Ctrl-C aborts its signal; then it throws Interrupted. */
  async inForeground<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const foreground = new AbortController();
    this.#foreground = foreground;
    this.#current = AbortSignal.any([this.#signal, foreground.signal]);
    try {
      return await work(this.#current);
    } catch (error) {
      if (foreground.signal.aborted) throw foreground.signal.reason;
      throw error;
    } finally {
      this.#foreground = undefined;
      this.#current = this.#signal;
    }
  }
}
