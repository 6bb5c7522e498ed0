/** Reads and writes the frames of a WebSocket (RFC 6455), as a server. */

export const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

export type Opcode = (typeof opcodes)[keyof typeof opcodes];

/** A server's whole message: one frame, not masked. */
export function frame(opcode: Opcode, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

export const closedNormally = Buffer.from([1000 >> 8, 1000 & 0xff]);

/** Receives a client's message in pieces as they arrive: nothing is buffered. */
export interface MessageReader {
  data(piece: Buffer): void;
  end(): void;
}

export interface FrameHandler {
  ping(payload: Buffer): void;
  close(): void;
  /** The client violates the protocol. */
  broken(): void;
  /** If absent, messages are ignored, as those of watch clients. */
  message?: MessageReader;
}

/** In frames per turn. */
const turn = 512;

const nothing: Buffer = Buffer.alloc(0);

/** Parses what a client sends: control frames as a whole, messages in pieces. */
export class ClientFrames {
  private readonly handler: FrameHandler;
  private kept = nothing;
  /** The current frame of a message: how much of it is still to come, and how much has arrived. */
  private current: (Head & { left: number }) | undefined;
  /** It was closed, or the client violated the protocol. */
  private isOver = false;

  constructor(handler: FrameHandler) {
    this.handler = handler;
  }

  /** Returns the bytes left for another turn, so that one client does not block the event loop (LIMIT-3). */
  take(chunk: Buffer): Buffer {
    let rest = this.kept.length === 0 ? chunk : Buffer.concat([this.kept, chunk]);
    this.kept = nothing;
    for (let left = turn; left > 0 && !this.isOver; left -= 1) {
      rest = this.current ? this.takeMessage(this.current, rest) : rest;
      const head = this.current ? undefined : headOf(rest);
      if (!head) return this.keep(rest);
      if (!head.mask || (head.isControl && head.length > 125)) {
        this.isOver = true;
        this.handler.broken();
        break;
      }
      if (!head.isControl) this.current = { ...head, left: head.length };
      else if (rest.length < head.size + head.length) return this.keep(rest);
      else this.control(head.opcode, unmasked(rest.subarray(head.size, head.size + head.length), head.mask, 0));
      rest = rest.subarray(head.isControl ? head.size + head.length : head.size);
    }
    return this.isOver ? nothing : rest;
  }

  /** Stores an incomplete frame. */
  private keep(rest: Buffer): Buffer {
    this.kept = Buffer.from(rest);
    return nothing;
  }

  private takeMessage(current: Head & { left: number }, bytes: Buffer): Buffer {
    const piece = bytes.subarray(0, Math.min(current.left, bytes.length));
    const { message } = this.handler;
    if (message && piece.length > 0) message.data(unmasked(piece, current.mask!, current.length - current.left));
    current.left -= piece.length;
    if (current.left === 0) {
      this.current = undefined;
      if (current.isFinal) message?.end();
    }
    return bytes.subarray(piece.length);
  }

  private control(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) this.handler.ping(payload);
    if (opcode !== opcodes.close) return;
    this.isOver = true;
    this.handler.close();
  }
}

interface Head {
  opcode: number;
  isControl: boolean;
  /** The last frame of its message. */
  isFinal: boolean;
  /** The size of the head itself, its mask included. */
  size: number;
  /** The length of the payload. */
  length: number;
  mask: Buffer | undefined;
}

/** Undefined while it is incomplete. */
function headOf(bytes: Buffer): Head | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const beforeMask = short === 126 ? 4 : short === 127 ? 10 : 2;
  const size = beforeMask + (second & 0x80 ? 4 : 0);
  if (bytes.length < size) return undefined;
  const long = () => (short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)));
  const opcode = first & 0xf;
  return {
    opcode,
    isControl: opcode >= opcodes.close,
    isFinal: (first & 0x80) !== 0,
    size,
    length: short < 126 ? short : long(),
    mask: second & 0x80 ? Buffer.from(bytes.subarray(beforeMask, size)) : undefined,
  };
}

/** `at`: the piece's offset in its frame. */
function unmasked(piece: Buffer, mask: Buffer, at: number): Buffer {
  // In memory of its own, so that a stored piece keeps nothing else alive.
  const plain = Buffer.allocUnsafeSlow(piece.length);
  for (let i = 0; i < piece.length; i += 1) plain[i] = piece[i]! ^ mask[(at + i) & 3]!;
  return plain;
}
