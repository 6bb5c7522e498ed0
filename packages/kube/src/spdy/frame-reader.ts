/** Splits a client's bytes into frames. Data is passed on as it arrives; only control frames are buffered. */

import { GrowingBytes } from '../growing-bytes.ts';
import { type ControlFrame, flags, types } from './frames.ts';
import { SpdyError } from './spdy-error.ts';

/** In bytes: Kubernetes clients send a few hundred. */
const longestControl = 32 * 1024;

const version = 3;

export interface FrameHandler {
  control(frame: ControlFrame): void;
  /** `isLast`: the client sends nothing more on that stream. */
  data(stream: number, piece: Buffer, isLast: boolean): void;
}

/** In frames per turn, or their equivalent in cost. */
const turn = 512;

/** The cost of an expensive frame, which takes some 40 microseconds however short it is: a header block, or a window for all streams. */
const expensiveFrame = 8;

const costs: Partial<Record<number, number>> = {
  [types.synStream]: expensiveFrame,
  [types.synReply]: expensiveFrame,
  [types.headers]: expensiveFrame,
  [types.settings]: expensiveFrame,
};

interface DataHead {
  stream: number;
  left: number;
  isLast: boolean;
}

export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #head = new GrowingBytes(8);
  readonly #payload = new GrowingBytes(longestControl);
  #control: { type: number; flags: number; length: number } | undefined;
  #data: DataHead | undefined;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  /** Returns the bytes left for another turn, so that one client does not block the event loop (LIMIT-3). */
  take(chunk: Buffer): Buffer {
    let rest = chunk;
    for (let left = turn; rest.length > 0 && left > 0; ) {
      if (this.#data) rest = this.#takeData(this.#data, rest);
      else if (this.#control) rest = this.#takeControl(this.#control, rest);
      else {
        rest = this.#takeHead(rest);
        left -= this.#cost;
      }
    }
    return rest;
  }

  /** Of the current frame. */
  get #cost(): number {
    return (this.#control && costs[this.#control.type]) ?? 1;
  }

  #takeHead(bytes: Buffer): Buffer {
    const part = bytes.subarray(0, 8 - this.#head.length);
    this.#head.append(part);
    if (this.#head.length === 8) this.#begin(this.#head.take());
    return bytes.subarray(part.length);
  }

  #begin(head: Buffer): void {
    const first = head.readUInt32BE(0);
    const flag = head[4]!;
    const length = head.readUIntBE(5, 3);
    if (first >>> 31 === 0) {
      if (first === 0) throw new SpdyError('data for stream 0');
      this.#data = { stream: first, left: length, isLast: (flag & flags.fin) !== 0 };
      if (length === 0) this.#takeData(this.#data, head.subarray(8));
      return;
    }
    if (((first >>> 16) & 0x7fff) !== version) throw new SpdyError('a frame of another version of SPDY');
    if (length > longestControl) throw new SpdyError(`a control frame of ${length} bytes`);
    this.#control = { type: first & 0xffff, flags: flag, length };
    if (length === 0) this.#takeControl(this.#control, head.subarray(8));
  }

  #takeControl({ type, flags: flag, length }: { type: number; flags: number; length: number }, bytes: Buffer): Buffer {
    const part = bytes.subarray(0, length - this.#payload.length);
    this.#payload.append(part);
    if (this.#payload.length === length) {
      this.#control = undefined;
      this.#handler.control({ type, flags: flag, payload: this.#payload.take() });
    }
    return bytes.subarray(part.length);
  }

  #takeData(data: DataHead, bytes: Buffer): Buffer {
    const piece = bytes.subarray(0, data.left);
    data.left -= piece.length;
    if (data.left === 0) this.#data = undefined;
    this.#handler.data(data.stream, piece, data.isLast && data.left === 0);
    return bytes.subarray(piece.length);
  }
}
