/**
 * The server's side of a SPDY/3.1 connection, over any Duplex.
 *
 * Go's spdystream, which Kubernetes clients use, ignores flow control: it sends without limit and never grants a window. So the
 * client's windows apply only after its first SETTINGS or WINDOW_UPDATE; and what a client sends beyond our window is left unread in
 * the connection, which applies backpressure.
 */

import type { Duplex } from 'node:stream';
import { endConnection } from '../end-connection.ts';
import { FairWriter } from '../fair-writer.ts';
import { Intake } from '../intake.ts';
import { Probing } from '../probing.ts';
import { FrameReader } from './frame-reader.ts';
import {
  type ControlFrame,
  controlFrame,
  dataFrame,
  defaultWindow,
  flags,
  goAwayStatus,
  initialWindowSetting,
  type ResetStatus,
  resetFrame,
  resetStatus,
  types,
  windowUpdate,
} from './frames.ts';
import { HeaderReader, HeaderWriter, numbers, type SpdyHeaders } from './header-block.ts';
import { SpdyError } from './spdy-error.ts';
import { SpdyStream, type StreamOwner } from './spdy-stream.ts';

/** Open streams at the same time; a forwarded connection has two. */
const mostStreams = 1000;
/** In bytes of memory, for all streams together: beyond it the client has to wait. */
const mostUnread = 256 * 1024;
/** In bytes: replies to pings and the like that the client does not read. */
const mostUnsent = 128 * 1024;
/** A server's ids are even. */
const ownPing = 2;

/** Each new stream waits for `reply`, or is destroyed. Its headers are not stored. */
type OnStream = (stream: SpdyStream, headers: SpdyHeaders) => void;

export class SpdyConnection {
  readonly #transport: Duplex;
  readonly #intake: Intake;
  readonly #writer: FairWriter;
  readonly #onStream: OnStream;
  readonly #reader = new FrameReader({
    control: (frame) => this.#control(frame),
    data: (id, piece, isLast) => this.#data(id, piece, isLast),
  });
  readonly #headerReader = new HeaderReader();
  readonly #headerWriter = new HeaderWriter();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #over = new AbortController();
  readonly #probing = new Probing(() => {
    // If frames are still unsent, they probe the connection already.
    if (this.#writer.unsent === 0) this.#writer.writeNow(controlFrame(types.ping, 0, numbers(ownPing)));
  });
  readonly #owner: StreamOwner;
  #lastId = 0;
  #unread = 0;
  #unreported = 0;
  /** The client's window, once it uses flow control. */
  #window: { initial: number; granted: number } | undefined;
  #sent = 0;
  /** Streams that wait for the connection's window. */
  readonly #waiting = new Set<SpdyStream>();
  #isClosing = false;

  constructor(transport: Duplex, onStream: OnStream) {
    this.#transport = transport;
    this.#writer = new FairWriter(transport);
    this.#onStream = onStream;
    this.#owner = {
      allowance: (stream, length) => this.#allowance(stream, length),
      send: (stream, piece, isLast, done) => {
        this.#sent += piece.length;
        this.#writer.write(dataFrame(stream.id, piece, isLast), done);
      },
      reply: ({ id }) =>
        this.#writer.writeNow(
          controlFrame(types.synReply, 0, Buffer.concat([numbers(id), this.#headerWriter.write(new Map())])),
        ),
      hold: (delta) => {
        this.#unread += delta;
      },
      consumed: (stream, length) => this.#consumed(stream, length),
      forget: (stream, isCut) => {
        this.#waiting.delete(stream);
        if (this.#streams.delete(stream.id) && isCut) this.#reset(stream.id, resetStatus.cancel);
      },
    };
    this.#intake = new Intake(transport, (chunk) => this.#take(chunk));
    transport.on('drain', () => this.#resume());
    transport.once('end', () => this.#end());
    transport.once('close', () => this.#end());
    transport.on('error', () => this.#end());
  }

  /** Aborted when the client is gone, or the connection is closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Sends a GOAWAY; what was written before is still delivered. */
  close(status: number = goAwayStatus.ok): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#probing.stop();
    this.#intake.stop();
    this.#writer.writeNow(controlFrame(types.goAway, 0, numbers(this.#lastId, status)));
    for (const stream of [...this.#streams.values()]) stream.abandon();
    endConnection(this.#transport);
    this.#over.abort();
  }

  /** The client closed the connection or, as Go's clients do first, sent a GOAWAY. */
  #end(): void {
    this.#over.abort();
    for (const stream of [...this.#streams.values()]) stream.abandon();
    this.close();
  }

  /** Returns the bytes left for another turn. */
  #take(chunk: Buffer): Buffer {
    let rest = chunk;
    try {
      rest = this.#reader.take(chunk);
    } catch (error) {
      if (!(error instanceof SpdyError)) throw error;
      this.close(goAwayStatus.protocolError);
    }
    if (this.#isFull && !this.#isClosing) {
      this.#probing.start();
      this.#intake.hold();
    }
    return rest;
  }

  get #isFull(): boolean {
    return this.#unread >= mostUnread || this.#writer.unsent >= mostUnsent;
  }

  #resume(): void {
    if (this.#isFull || this.#isClosing) return;
    this.#probing.stop();
    this.#intake.release();
  }

  #control({ type, flags: flag, payload }: ControlFrame): void {
    switch (type) {
      case types.synStream:
        this.#open(numberAt(payload, 0) & 0x7fff_ffff, flag, payload.subarray(10));
        break;
      case types.synReply:
      case types.headers:
        // These headers are not used, but the next block is compressed with them as its context.
        this.#headerReader.read(payload.subarray(4));
        if (flag & flags.fin) this.#streams.get(numberAt(payload, 0))?.receiveEnd();
        break;
      case types.rstStream:
        this.#streams.get(numberAt(payload, 0))?.receiveReset();
        break;
      case types.settings:
        this.#settings(payload);
        break;
      case types.ping:
        // Even ids are replies to our own pings.
        if (numberAt(payload, 0) % 2 === 1) this.#writer.writeNow(controlFrame(types.ping, 0, payload.subarray(0, 4)));
        break;
      case types.goAway:
        this.#end();
        break;
      case types.windowUpdate:
        this.#grant(numberAt(payload, 0) & 0x7fff_ffff, numberAt(payload, 4) & 0x7fff_ffff);
        break;
      default:
      // Unknown types are ignored (section 2.2.1).
    }
  }

  #open(id: number, flag: number, block: Buffer): void {
    const headers = this.#headerReader.read(block);
    if (id % 2 === 0 || id <= this.#lastId) throw new SpdyError(`stream ${id} is not a new client stream`);
    this.#lastId = id;
    if (this.#streams.size >= mostStreams) {
      this.#reset(id, resetStatus.refusedStream);
      return;
    }
    const stream = new SpdyStream(this.#owner, id);
    this.#streams.set(id, stream);
    if (flag & flags.fin) stream.receiveEnd();
    if (flag & flags.unidirectional) stream.end();
    this.#onStream(stream, headers);
  }

  #data(id: number, piece: Buffer, isLast: boolean): void {
    this.#unread += piece.length;
    const stream = this.#streams.get(id);
    if (stream) stream.receive(piece);
    else this.#consumed(undefined, piece.length);
    if (isLast) stream?.receiveEnd();
  }

  #consumed(stream: SpdyStream | undefined, length: number): void {
    this.#unread -= length;
    this.#unreported = this.#report(0, this.#unreported + length);
    if (stream) stream.unreported = stream.destroyed ? 0 : this.#report(stream.id, stream.unreported + length);
    this.#resume();
  }

  /** Reports half a window at a time. */
  #report(id: number, length: number): number {
    if (length < defaultWindow / 2) return length;
    this.#writer.writeNow(windowUpdate(id, length));
    return 0;
  }

  #allowance(stream: SpdyStream, length: number): number {
    if (!this.#window) return length;
    const ofConnection = this.#ofConnection(this.#window);
    if (ofConnection <= 0) this.#waiting.add(stream);
    return Math.max(0, Math.min(length, this.#window.initial + stream.granted - stream.sent, ofConnection));
  }

  #ofConnection({ granted }: { granted: number }): number {
    return defaultWindow + granted - this.#sent;
  }

  #settings(payload: Buffer): void {
    const count = Math.min(numberAt(payload, 0), (payload.length - 4) / 8);
    let initial: number | undefined;
    for (let index = 0; index < count; index += 1) {
      const at = 4 + 8 * index;
      if ((numberAt(payload, at) & 0xff_ffff) === initialWindowSetting)
        initial = numberAt(payload, at + 4) & 0x7fff_ffff;
    }
    if (initial === undefined) return;
    const before = this.#window;
    this.#window = { granted: before?.granted ?? 0, initial };
    // No stream waits for a window before there is one, or for one that has not grown.
    if (!before || initial <= before.initial) return;
    for (const stream of [...this.#streams.values()]) stream.onWindow();
  }

  #grant(id: number, delta: number): void {
    this.#window ??= { initial: defaultWindow, granted: 0 };
    const stream = this.#streams.get(id);
    if (stream) {
      stream.granted += delta;
      stream.onWindow();
    }
    if (id !== 0) return;
    this.#window.granted += delta;
    for (const waiting of this.#waiting) {
      if (this.#ofConnection(this.#window) <= 0) return;
      this.#waiting.delete(waiting);
      waiting.onWindow();
    }
  }

  #reset(id: number, status: ResetStatus): void {
    this.#writer.writeNow(resetFrame(id, status));
  }
}

function numberAt(payload: Buffer, at: number): number {
  if (payload.length < at + 4) throw new SpdyError('a control frame is too short');
  return payload.readUInt32BE(at);
}
