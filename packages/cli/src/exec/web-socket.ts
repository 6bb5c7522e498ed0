/** Opens a WebSocket to an API server, over a connection of its upstream. */

import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { errorOf } from '@fleet/client/kube-client.ts';
import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { FrameReader, maskedFrame, opcodes } from './frames.ts';

const acceptSalt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export class WebSocketClient {
  private readonly stream: Duplex;
  private readonly head: Buffer;

  private constructor(stream: Duplex, head: Buffer) {
    this.stream = stream;
    this.head = head;
    // Whoever reads the messages learns of it.
    stream.on('error', () => {});
  }

  /** A refusal of the server is thrown as its Status. */
  static async open(
    upstream: Upstream,
    { path, signal }: Pick<UpstreamCall, 'path' | 'signal'>,
    protocol: string,
  ): Promise<WebSocketClient> {
    const key = randomBytes(16).toString('base64');
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
      'sec-websocket-protocol': protocol,
      'user-agent': 'fleet-cli',
    };
    const answer = await upstream.upgrade({ method: 'GET', path, headers, signal });
    if (answer.is === 'refused') throw errorOf(answer.reply.status, await answer.reply.body.refusal());
    const accept = createHash('sha1')
      .update(key + acceptSalt)
      .digest('base64');
    const { 'sec-websocket-accept': accepted, 'sec-websocket-protocol': agreed } = answer.headers;
    if (accepted === accept && agreed === protocol) return new WebSocketClient(answer.stream, answer.head);
    answer.stream.destroy();
    throw new Error(`the server does not speak ${protocol} over WebSocket`);
  }

  /** Until the other side closes. */
  async *messages(): AsyncGenerator<Buffer, void, undefined> {
    const reader = new FrameReader();
    let pieces: Buffer[] = [];
    for await (const chunk of this.chunks()) {
      for (const { opcode, isLast, payload } of reader.take(chunk)) {
        if (opcode === opcodes.close) return;
        if (opcode === opcodes.ping) await this.write(maskedFrame(opcodes.pong, payload));
        if (opcode >= opcodes.close) continue;
        pieces.push(payload);
        if (!isLast) continue;
        yield Buffer.concat(pieces);
        pieces = [];
      }
    }
  }

  /** Settles when the other side takes more. */
  send(payload: Uint8Array): Promise<void> {
    return this.write(maskedFrame(opcodes.binary, payload));
  }

  /** Normally, whatever the other side still sends. */
  close(): void {
    if (this.stream.destroyed) return;
    const normally = Buffer.from([1000 >> 8, 1000 & 0xff]);
    this.stream.end(maskedFrame(opcodes.close, normally), () => this.stream.destroy());
  }

  private async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    if (this.head.length > 0) yield this.head;
    yield* this.stream as AsyncIterable<Buffer>;
  }

  private async write(bytes: Buffer): Promise<void> {
    if (!this.stream.writable || this.stream.write(bytes)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const event of ['drain', 'close']) this.stream.once(event, resolve);
    await promise;
    for (const event of ['drain', 'close']) this.stream.off(event, resolve);
  }
}
