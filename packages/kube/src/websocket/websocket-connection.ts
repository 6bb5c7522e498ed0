/** The server's side of a WebSocket, over any Duplex: messages in pieces, and whatever is sent in turn. */

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
  /** To a client that does not read, one pong is owed, to its last ping (RFC 6455, 5.5.3): nothing piles up (SEC-2). */
  #owedPong: Buffer | undefined;
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

  /** `done` when it was taken, and more will be. */
  send(opcode: Opcode, payload: Uint8Array, done: (error?: Error) => void): void {
    this.#writer.write(frame(opcode, payload), done);
  }

  /** No messages for now. */
  pause(): void {
    if (this.#isClosing) return;
    this.#probing.start();
    this.#intake.hold();
  }

  resume(): void {
    this.#probing.stop();
    this.#intake.release();
  }

  /** What was sent is still delivered. */
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
    const isOwed = this.#owedPong !== undefined;
    this.#owedPong = payload;
    if (!isOwed) this.#writer.whenFree(() => this.#payPong());
  }

  #payPong(): void {
    const payload = this.#owedPong;
    this.#owedPong = undefined;
    if (payload) this.#writer.writeNow(frame(opcodes.pong, payload));
  }
}
