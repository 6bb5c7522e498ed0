/** The frames of a WebSocket, as far as a server that only sends needs them. */

export const opcodes = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const;

type Opcode = (typeof opcodes)[keyof typeof opcodes];

/** A whole message from a server: one frame, not masked. */
export function frame(opcode: Opcode, payload: Buffer): Buffer {
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

export interface Heard {
  ping(payload: Buffer): void;
  close(): void;
  /** No WebSocket is spoken there. */
  broken(): void;
}

/** What clients of a watch say: that they are there, and that they go. Messages of theirs are passed over. */
export class ClientFrames {
  private readonly heard: Heard;
  private kept: Buffer = Buffer.alloc(0);
  private passingOver = 0;

  constructor(heard: Heard) {
    this.heard = heard;
  }

  take(chunk: Buffer): void {
    let rest = this.kept.length === 0 ? chunk : Buffer.concat([this.kept, chunk]);
    for (;;) {
      const over = Math.min(this.passingOver, rest.length);
      this.passingOver -= over;
      rest = rest.subarray(over);
      const head = this.passingOver > 0 ? undefined : headOf(rest);
      if (!head) break;
      if (head.isControl && (head.length > 125 || rest.length < head.size + head.length)) {
        if (head.length <= 125) break;
        this.heard.broken();
        return;
      }
      if (head.isControl) this.control(head.opcode, unmasked(rest, head));
      rest = rest.subarray(head.size);
      this.passingOver = head.length;
    }
    this.kept = Buffer.from(rest);
  }

  private control(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) this.heard.ping(payload);
    if (opcode === opcodes.close) this.heard.close();
  }
}

interface Head {
  opcode: number;
  isControl: boolean;
  /** Of the head itself, its mask included. */
  size: number;
  /** Of what follows. */
  length: number;
  mask: Buffer | undefined;
}

/** Undefined while not all of it has come. */
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
    size,
    length: short < 126 ? short : long(),
    mask: second & 0x80 ? bytes.subarray(beforeMask, size) : undefined,
  };
}

const unmasked = (bytes: Buffer, { size, length, mask }: Head): Buffer =>
  Buffer.from(bytes.subarray(size, size + length).map((byte, index) => byte ^ (mask?.[index % 4] ?? 0)));
