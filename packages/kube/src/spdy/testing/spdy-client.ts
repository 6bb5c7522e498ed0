/** A SPDY/3.1 client for tests: header blocks in one streaming zlib context, as Go's clients write them. */

import type { Duplex } from 'node:stream';
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { dictionary } from '../dictionary.ts';
import { FrameReader } from '../frame-reader.ts';
import { controlFrame, dataFrame, flags, types } from '../frames.ts';
import { numbers } from '../header-block.ts';

export class ClientStream {
  readonly id: number;
  readonly replied = Promise.withResolvers<void>();
  readonly over = Promise.withResolvers<'ended' | 'reset'>();
  received = Buffer.alloc(0);
  readonly #transport: Duplex;

  constructor(transport: Duplex, id: number) {
    this.#transport = transport;
    this.id = id;
    this.replied.promise.catch(() => {});
  }

  write(bytes: Uint8Array | string, isLast = false): void {
    this.#transport.write(dataFrame(this.id, Buffer.from(bytes as string), isLast));
  }

  end(): void {
    this.write('', true);
  }

  /** Everything received, once the server has ended its half. */
  async text(): Promise<string> {
    await this.over.promise;
    return this.received.toString();
  }
}

export class SpdyClient {
  readonly streams = new Map<number, ClientStream>();
  /** Types of the received control frames, without replies and resets; pings by their ids. */
  readonly heard: string[] = [];
  readonly goneAway = Promise.withResolvers<number>();
  readonly #transport: Duplex;
  readonly #deflate: Deflate = createDeflate({ dictionary });
  readonly #inflate: Inflate = createInflate({ dictionary });
  #nextId = 1;

  constructor(transport: Duplex) {
    this.#transport = transport;
    // A reply that cannot be unpacked fails the test.
    this.#inflate.resume();
    const reader = new FrameReader({
      control: ({ type, flags: flag, payload }) => this.#control(type, flag, payload),
      data: (id, piece, isLast) => {
        const stream = this.streams.get(id);
        if (!stream) throw new Error(`data for stream ${id}`);
        stream.received = Buffer.concat([stream.received, piece]);
        if (isLast) stream.over.resolve('ended');
      },
    });
    transport.on('data', (chunk: Buffer) => {
      for (let rest = chunk; rest.length > 0; ) rest = reader.take(rest);
    });
    transport.on('error', () => {});
  }

  /** The bytes on the wire. */
  async synStream(id: number, headers: Record<string, string>, flag = 0): Promise<Buffer> {
    const block = await this.headerBlock(headers);
    return controlFrame(types.synStream, flag, Buffer.concat([numbers(id, 0), Buffer.alloc(2), block]));
  }

  /** Does not wait for the server's reply. */
  async open(headers: Record<string, string>, { isLast = false } = {}): Promise<ClientStream> {
    const stream = new ClientStream(this.#transport, this.#nextId);
    this.#nextId += 2;
    this.streams.set(stream.id, stream);
    this.#transport.write(await this.synStream(stream.id, headers, isLast ? flags.fin : 0));
    return stream;
  }

  control(type: number, payload: Buffer, flag = 0): void {
    this.#transport.write(controlFrame(type, flag, payload));
  }

  async headerBlock(headers: Record<string, string>): Promise<Buffer> {
    const parts = Object.entries(headers).flatMap(([name, value]) => {
      const [nameBytes, valueBytes] = [Buffer.from(name.toLowerCase()), Buffer.from(value)];
      return [numbers(nameBytes.length), nameBytes, numbers(valueBytes.length), valueBytes];
    });
    const pieces: Buffer[] = [];
    const collect = (piece: Buffer) => pieces.push(piece);
    this.#deflate.on('data', collect);
    this.#deflate.write(Buffer.concat([numbers(Object.keys(headers).length), ...parts]));
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    await new Promise((resolve) => setImmediate(resolve));
    this.#deflate.off('data', collect);
    return Buffer.concat(pieces);
  }

  #control(type: number, flag: number, payload: Buffer): void {
    const id = payload.readUInt32BE(0);
    switch (type) {
      case types.synReply:
        this.#inflate.write(payload.subarray(4));
        this.streams.get(id)?.replied.resolve();
        if (flag & flags.fin) this.streams.get(id)?.over.resolve('ended');
        return;
      case types.rstStream:
        this.streams.get(id)?.over.resolve('reset');
        this.streams.get(id)?.replied.reject(new Error(`refused: ${payload.readUInt32BE(4)}`));
        return;
      case types.goAway:
        this.goneAway.resolve(payload.readUInt32BE(4));
        return;
      case types.ping:
        this.heard.push(`ping ${id}`);
        return;
      case types.windowUpdate:
        this.heard.push(`window ${id} ${payload.readUInt32BE(4)}`);
        return;
      default:
        this.heard.push(`type ${type}`);
    }
  }
}
