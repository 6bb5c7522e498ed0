/** The session `fleet-agent` of one connection: JSON lines in both directions, with limits. */

import type { Duplex } from 'node:stream';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { asError } from './errors.ts';

/** A CA and two tokens, escaped as JSON. */
const longestLine = 1024 * 1024;
/** Bytes of messages that the other side may leave unread. */
const mostUnsent = 2 * longestLine;

const newline = 0x0a;

export class ControlChannel<Incoming, Outgoing> {
  readonly #stream: Duplex;
  readonly #fail: (error: Error) => void;

  /** A message that cannot be parsed ends the whole connection, through `fail`. */
  constructor(
    stream: Duplex,
    read: (line: string) => Incoming | undefined,
    receive: (message: Incoming) => void,
    fail: (error: Error) => void,
  ) {
    this.#stream = stream;
    this.#fail = fail;
    // The cost is the same for a million chunks of one byte as for one chunk.
    const line = new GrowingBytes(longestLine);
    stream.on('data', (chunk: Buffer) => {
      try {
        // By byte: a JSON string may contain other line separators.
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
