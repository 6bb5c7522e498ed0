/**
 * Encodes and decodes header blocks: `count (name-length name value-length value)*`, numbers of 32 bits, compressed in one zlib
 * context for each direction of a connection. Several values of a name are separated by NUL.
 */

import { constants, inflateRawSync } from 'node:zlib';
import { dictionary, dictionaryId } from './dictionary.ts';
import { SpdyError } from './spdy-error.ts';

export type SpdyHeaders = ReadonlyMap<string, string>;

/** In bytes, uncompressed: Kubernetes clients send a few hundred. */
const longestBlock = 8 * 1024;

/** Per block: Kubernetes clients send three. */
const mostHeaders = 32;

/** The window of deflate. */
const windowSize = 32 * 1024;

/**
 * Node's zlib streams are asynchronous, so frames would have to wait for each other. But every block ends with a sync flush,
 * so each one can be uncompressed synchronously by itself, with the previously uncompressed bytes as its dictionary.
 */
export class HeaderReader {
  #window: Buffer = dictionary;
  #isFirst = true;

  read(block: Buffer): SpdyHeaders {
    const unpacked = this.#unpack(this.#isFirst ? withoutZlibHead(block) : block);
    this.#isFirst = false;
    this.#window = Buffer.concat([this.#window, unpacked].map((part) => part.subarray(-windowSize))).subarray(
      -windowSize,
    );
    return headersOf(unpacked);
  }

  #unpack(packed: Buffer): Buffer {
    try {
      return inflateRawSync(packed, {
        dictionary: this.#window,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: longestBlock,
      });
    } catch (cause) {
      throw new SpdyError('a header block cannot be decompressed', { cause });
    }
  }
}

/** `method-and-window flags dictionary-id`; the flags state that there is a dictionary. */
function withoutZlibHead(block: Buffer): Buffer {
  const isZlib = block.length >= 6 && (block[0]! & 0x0f) === 8 && block.readUInt16BE(0) % 31 === 0;
  if (!isZlib || !(block[1]! & 0x20) || block.readUInt32BE(2) !== dictionaryId) {
    throw new SpdyError('header blocks are not compressed with the dictionary of SPDY/3');
  }
  return block.subarray(6);
}

function headersOf(block: Buffer): SpdyHeaders {
  let at = 0;
  const number = (): number => {
    if (at + 4 > block.length) throw new SpdyError('a truncated header block');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > block.length) throw new SpdyError('a truncated header block');
    at += length;
    return block.toString('utf8', at - length, at);
  };
  const headers = new Map<string, string>();
  const count = number();
  if (count > mostHeaders) throw new SpdyError(`a header block of ${count} headers`);
  for (let left = count; left > 0; left -= 1) {
    const name = text().toLowerCase();
    if (headers.has(name)) throw new SpdyError(`header ${JSON.stringify(name)} is sent twice`);
    headers.set(name, text());
  }
  return headers;
}

/** The longest stored block of deflate. */
const longestStored = 0xffff;

/** An empty block. Go's reader returns the bytes before it only after a sync flush. */
const flushed = Buffer.from([0, 0, 0, 0xff, 0xff]);

/** Writes uncompressed blocks, which are valid zlib, as a server sends few headers. */
export class HeaderWriter {
  #isFirst = true;

  write(headers: SpdyHeaders): Buffer {
    const parts = [numbers(headers.size)];
    for (const [name, value] of headers) {
      for (const text of [Buffer.from(name), Buffer.from(value)]) parts.push(numbers(text.length), text);
    }
    const block = Buffer.concat(parts);
    if (block.length > longestStored) throw new RangeError('headers are too long');
    const stored = Buffer.alloc(5);
    stored.writeUInt16LE(block.length, 1);
    stored.writeUInt16LE(~block.length & 0xffff, 3);
    const head = this.#isFirst ? [Buffer.from([0x78, 0xbb]), numbers(dictionaryId)] : [];
    this.#isFirst = false;
    return Buffer.concat([...head, stored, block, flushed]);
  }
}

export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
