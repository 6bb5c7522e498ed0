/**
 * Reads protobuf's wire format as Kubernetes' generated code does, with the same error texts.
 *
 *   varint   7 bits per byte, lowest first, the top bit is set if more follow; ten bytes at most
 *   field    varint (number * 8 + wire type), then
 *            0 varint | 1 eight bytes | 2 varint length, bytes | 3 fields, up to the 4 that ends the group | 5 four bytes
 */

/** A damaged message; the caller, who knows the request, turns it into a Status. */
export class WireError extends Error {}

const unexpectedEnd = () => new WireError('unexpected EOF');
const overflow = () => new WireError('proto: integer overflow');
const negativeLength = () => new WireError('proto: negative length found during unmarshaling');

export class WireReader {
  readonly bytes: Buffer;
  readonly end: number;
  at: number;
  /** Bytes that were read and will be read again, for the whole message. */
  private readonly again: { bytes: number };
  /** The two halves of the last varint, unsigned. */
  low = 0;
  high = 0;

  constructor(bytes: Buffer, at = 0, end = bytes.length, again = { bytes: 0 }) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.again = again;
  }

  /** A reader of the bytes from here to `end`. */
  within(end: number): WireReader {
    return new WireReader(this.bytes, this.at, end, this.again);
  }

  /** The reader went beyond the end of its message. */
  passedBy(bytes: number): void {
    this.again.bytes += bytes;
    if (this.again.bytes > this.bytes.length) throw unexpectedEnd();
  }

  varint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw overflow();
      if (this.at >= this.end) throw unexpectedEnd();
      const byte = this.bytes[this.at++]!;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      if (shift > 28) high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
  }

  bool(): boolean {
    this.varint();
    return (this.low | this.high) !== 0;
  }

  /** Higher bits are cut off. */
  int32(): number {
    this.varint();
    return this.low | 0;
  }

  int64(): bigint {
    this.varint();
    return BigInt.asIntN(64, this.#unsigned());
  }

  double(): number {
    if (this.at + 8 > this.end) throw unexpectedEnd();
    const value = this.bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  #unsigned(): bigint {
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** The end of what a length announces; the bytes begin at `at`. */
  lengthEnd(): number {
    this.varint();
    if (this.high >= 0x8000_0000) throw negativeLength();
    const end = this.at + this.high * 2 ** 32 + this.low;
    if (end > this.end) throw unexpectedEnd();
    return end;
  }

  tag(): { number: number; wireType: number } {
    this.varint();
    return { number: (this.high << 29) | (this.low >>> 3), wireType: this.low & 7 };
  }

  /** A field's tag at the top of a message. */
  checkedTag(message: string): { number: number; wireType: number } {
    const tag = this.tag();
    if (tag.wireType === 4) throw new WireError(`proto: ${message}: wiretype end group for non-group`);
    if (tag.number <= 0) {
      throw new WireError(`proto: ${message}: illegal tag ${tag.number} (wire type ${this.#unsigned()})`);
    }
    return tag;
  }

  /** Skips a field, tag included. Groups are counted, not recursed into, as they may be nested very deep. */
  skip(end = this.end): void {
    let depth = 0;
    do {
      if (this.at >= this.end) throw unexpectedEnd();
      const { wireType } = this.tag();
      if (wireType === 0) this.varint();
      else if (wireType === 1) this.at += 8;
      else if (wireType === 2) this.#skipLength();
      else if (wireType === 3) depth++;
      else if (wireType === 4) {
        if (depth === 0) throw new WireError('proto: unexpected end of group');
        depth--;
      } else if (wireType === 5) this.at += 4;
      else throw new WireError(`proto: illegal wireType ${wireType}`);
    } while (depth > 0);
    if (this.at > end) throw unexpectedEnd();
  }

  #skipLength(): void {
    this.varint();
    if (this.high >= 0x8000_0000) throw negativeLength();
    this.at += this.high * 2 ** 32 + this.low;
  }
}
