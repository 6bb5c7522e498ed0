/** The session `fleet-agent` of one connection: lines in, lines out, bounded. */

import type { Duplex } from 'node:stream';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { asError } from './errors.ts';

/** CA and two tokens, escaped as JSON. */
const longestLine = 1024 * 1024;
/** Messages that the other side may leave unread. */
const mostUnsent = 2 * longestLine;

const newline = 0x0a;

export class ControlChannel<Incoming, Outgoing> {
  readonly #stream: Duplex;
  readonly #fail: (error: Error) => void;

  /** What cannot be read ends the whole connection, by `fail`. */
  constructor(
    stream: Duplex,
    read: (line: string) => Incoming | undefined,
    receive: (message: Incoming) => void,
    fail: (error: Error) => void,
  ) {
    this.#stream = stream;
    this.#fail = fail;
    // As cheap for a million pieces of one byte as for one.
    const line = new GrowingBytes(longestLine);
    stream.on('data', (chunk: Buffer) => {
      try {
        // By byte: other line separators may be part of a text.
        for (let from = 0; from < chunk.length; ) {
          const end = chunk.indexOf(newline, from);
          line.append(chunk.subarray(from, end === -1 ? undefined : end));
          if (end === -1) return;
          from = end + 1;
          const message = read(line.take().toString());
          if (message !== undefined) receive(message);
        }
      } catch (error) {
        fail(asError(error));
      }
    });
    stream.on('error', () => {
      // The connection reports why it closed.
    });
  }

  send(message: Outgoing): void {
    if (this.#stream.destroyed) return;
    if (this.#stream.writableLength > mostUnsent) this.#fail(new Error('control messages are not read'));
    else this.#stream.write(`${JSON.stringify(message)}\n`);
  }
}
