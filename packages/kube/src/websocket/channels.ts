/**
 * Multiplexes Kubernetes' channels in a WebSocket: each message begins with its channel number, as a byte, or as a digit if the rest
 * is base64. In `v5.channel.k8s.io` a message `255 n` closes the client's side of channel n.
 */

import type { Duplex } from 'node:stream';
import { ownMemory } from '../unread-piece.ts';
import { opcodes } from './frames.ts';
import { PushedDuplex } from './pushed-duplex.ts';
import { WebSocketConnection } from './websocket-connection.ts';

export interface ChannelOptions {
  /** The number of channels. */
  count: number;
  isBase64: boolean;
  /** The client can close a channel. */
  hasClose: boolean;
}

const closeSignal = 255;
const digitZero = 0x30;

export class WebSocketChannels {
  readonly #socket: WebSocketConnection;
  readonly #options: ChannelOptions;
  readonly #channels: readonly PushedDuplex[];
  /** Channels whose buffers are full: then nothing is read at all, as in Kubernetes servers. */
  readonly #full = new Set<number>();
  readonly #ended = new Set<number>();
  /** The channel of the current message. */
  #current: number | undefined;
  /** Incomplete base64: it is decoded four characters at a time. */
  #digits = '';
  #isSignal = false;

  constructor(transport: Duplex, options: ChannelOptions) {
    this.#options = options;
    this.#channels = Array.from({ length: options.count }, (_, number) => this.#open(number));
    this.#socket = new WebSocketConnection(transport, {
      data: (piece) => this.#take(piece),
      end: () => this.#endMessage(),
    });
    this.#socket.over.addEventListener('abort', () => {
      for (const number of this.#channels.keys()) this.#endInput(number);
    });
  }

  /** Aborted when the client is gone, or all is closed. */
  get over(): AbortSignal {
    return this.#socket.over;
  }

  /** A channel that is not to be read has to be resumed. */
  channel(number: number): Duplex {
    return this.#channels[number]!;
  }

  close(): void {
    this.#socket.close();
  }

  #open(number: number): PushedDuplex {
    const flow = {
      pause: () => {
        this.#full.add(number);
        this.#socket.pause();
      },
      resume: () => {
        if (this.#full.delete(number) && this.#full.size === 0) this.#socket.resume();
      },
    };
    const channel = new PushedDuplex(flow, {
      write: (chunk: Buffer, _, done) => this.#send(number, chunk, done),
    });
    // Errors reach the writer through its write.
    return channel.on('error', () => {});
  }

  #send(number: number, chunk: Buffer, done: (error?: Error) => void): void {
    if (this.#options.isBase64) {
      const text = `${String.fromCharCode(digitZero + number)}${chunk.toString('base64')}`;
      this.#socket.send(opcodes.text, Buffer.from(text), done);
    } else this.#socket.send(opcodes.binary, Buffer.concat([Buffer.from([number]), chunk]), done);
  }

  #take(piece: Buffer): void {
    if (this.#current === undefined && !this.#isSignal) {
      const [first] = piece;
      this.#isSignal = this.#options.hasClose && first === closeSignal;
      if (!this.#isSignal) this.#current = this.#options.isBase64 ? first! - digitZero : first!;
      this.#takeRest(piece.subarray(1));
    } else this.#takeRest(piece);
  }

  #takeRest(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#isSignal) {
      // A close signal has two bytes in all.
      if (piece.length > 1 || this.#current !== undefined || !this.#channels[piece[0]!]) this.#socket.close();
      else this.#endInput(piece[0]!);
      this.#current = piece[0]!;
      return;
    }
    const bytes = this.#options.isBase64 ? this.#decoded(piece) : piece;
    if (!this.#ended.has(this.#current!)) this.#channels[this.#current!]?.receive(bytes);
  }

  #decoded(piece: Buffer): Buffer {
    const digits = this.#digits + piece.toString('latin1');
    const whole = digits.length - (digits.length % 4);
    this.#digits = digits.slice(whole);
    return ownMemory(Buffer.from(digits.slice(0, whole), 'base64'));
  }

  #endInput(number: number): void {
    const channel = this.#channels[number]!;
    if (channel.destroyed || this.#ended.has(number)) return;
    this.#ended.add(number);
    channel.push(null);
  }

  #endMessage(): void {
    this.#current = undefined;
    this.#isSignal = false;
    this.#digits = '';
  }
}
