/**
 * The frames of a WebSocket (RFC 6455) as a client needs them: what it sends is masked, what it reads is not.
 *
 *   byte 0: FIN, 3 reserved bits, opcode; byte 1: MASK, length (126: 2 more bytes, 127: 8 more); mask; payload
 */

import { randomBytes } from 'node:crypto';

export const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

export interface Frame {
  isLast: boolean;
  opcode: number;
  payload: Buffer;
}

/** A whole message. */
export function maskedFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const before = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.alloc(before + 4 + length);
  bytes[0] = 0x80 | opcode;
  bytes[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (before === 4) bytes.writeUInt16BE(length, 2);
  if (before === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  mask.copy(bytes, before);
  for (let at = 0; at < length; at++) bytes[before + 4 + at] = payload[at]! ^ mask[at & 3]!;
  return bytes;
}

/** Of output and of a Status; servers send pieces of 32 KiB. */
const longest = 16 * 1024 * 1024;

/** Cuts frames out of chunks. */
export class FrameReader {
  private kept: Buffer = Buffer.alloc(0);

  /** Throws at what no server sends to a client. */
  *take(chunk: Buffer): Generator<Frame, void, undefined> {
    this.kept = this.kept.length === 0 ? chunk : Buffer.concat([this.kept, chunk]);
    for (let size = sizeOf(this.kept); size && this.kept.length >= size.head + size.payload; size = sizeOf(this.kept)) {
      const end = size.head + size.payload;
      const first = this.kept[0]!;
      const payload = this.kept.subarray(size.head, end);
      this.kept = this.kept.subarray(end);
      yield { isLast: (first & 0x80) !== 0, opcode: first & 0xf, payload };
    }
  }
}

/** Undefined while not all of the head has come. */
function sizeOf(bytes: Buffer): { head: number; payload: number } | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  if (first & 0x70 || second & 0x80) throw new Error('the server does not speak WebSocket as agreed');
  const head = second === 126 ? 4 : second === 127 ? 10 : 2;
  if (bytes.length < head) return undefined;
  const payload = head === 2 ? second : head === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (payload > longest) throw new Error(`the server sent a frame of ${payload} bytes`);
  return { head, payload };
}
