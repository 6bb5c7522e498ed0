/** The server's side of a WebSocket over any Duplex: it reads messages in pieces, and lets senders take turns. */

import type { Duplex } from 'node:stream';
import { endConnection } from '../end-connection.ts';
import { FairWriter } from '../fair-writer.ts';
import { Intake } from '../intake.ts';
import { Probing } from '../probing.ts';
import { ClientFrames, closedNormally, frame, type MessageReader, type Opcode, opcodes } from './frames.ts';

export class WebSocketConnection {
  readonly #transport: Duplex;
  readonly #intake: Intake;
  readonly #writer: FairWriter;
  readonly #over = new AbortController();
  readonly #probing = new Probing(() => {
    if (this.#writer.unsent === 0) this.#writer.writeNow(frame(opcodes.ping, Buffer.alloc(0)));
  });
  /** A client that does not read gets one pong, for its last ping (RFC 6455, 5.5.3): pongs do not pile up (SEC-2). */
  #pendingPong: Buffer | undefined;
  #isClosing = false;

  constructor(transport: Duplex, message: MessageReader) {
    this.#transport = transport;
    this.#writer = new FairWriter(transport);
    const frames = new ClientFrames({
      ping: (payload) => this.#pong(payload),
      close: () => this.close(),
      broken: () => this.close(),
      message,
    });
    this.#intake = new Intake(transport, (chunk) => frames.take(chunk));
    transport.once('end', () => this.close());
    transport.once('close', () => this.close());
    transport.on('error', () => this.close());
  }

  /** Aborted when the client is gone, or the connection is closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Calls `done` when the bytes were accepted and more can be sent. */
  send(opcode: Opcode, payload: Uint8Array, done: (error?: Error) => void): void {
    this.#writer.write(frame(opcode, payload), done);
  }

  /** Stops reading messages for now. */
  pause(): void {
    if (this.#isClosing) return;
    this.#probing.start();
    this.#intake.hold();
  }

  resume(): void {
    this.#probing.stop();
    this.#intake.release();
  }

  /** What was sent before is still delivered. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#probing.stop();
    this.#intake.stop();
    this.#writer.writeNow(frame(opcodes.close, closedNormally));
    endConnection(this.#transport);
    this.#over.abort();
  }

  #pong(payload: Buffer): void {
    const isPongPending = this.#pendingPong !== undefined;
    this.#pendingPong = payload;
    if (!isPongPending) this.#writer.whenFree(() => this.#sendPong());
  }

  #sendPong(): void {
    const payload = this.#pendingPong;
    this.#pendingPong = undefined;
    if (payload) this.#writer.writeNow(frame(opcodes.pong, payload));
  }
}
