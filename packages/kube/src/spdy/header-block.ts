/**
 * Header blocks: `count (name-length name value-length value)*`, numbers of 32 bits, compressed with zlib in one context for
 * each direction of a connection. Several values of a name have a NUL between them.
 */

import { constants, inflateRawSync } from 'node:zlib';
import { dictionary, dictionaryId } from './dictionary.ts';
import { SpdyError } from './spdy-error.ts';

export type SpdyHeaders = ReadonlyMap<string, string>;

/** In bytes, unpacked: kube's headers have some hundred. */
const longestBlock = 8 * 1024;

/** Of a block: kube's clients send three. */
const mostHeaders = 32;

/** As far as deflate looks back. */
const windowSize = 32 * 1024;

/**
 * Node's streams of zlib answer later, and frames have to wait for each other then. But every block ends at a byte with nothing
 * pending (a sync flush), so that it can be unpacked at once, by itself, with what was unpacked before as its dictionary.
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
      throw new SpdyError('a header block cannot be unpacked', { cause });
    }
  }
}

/** `method-and-window flags dictionary-id`, where the flags say that there is a dictionary. */
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
    if (at + 4 > block.length) throw new SpdyError('a header block breaks off');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > block.length) throw new SpdyError('a header block breaks off');
    at += length;
    return block.toString('utf8', at - length, at);
  };
  const headers = new Map<string, string>();
  const count = number();
  if (count > mostHeaders) throw new SpdyError(`a header block of ${count} headers`);
  for (let left = count; left > 0; left -= 1) {
    const name = text().toLowerCase();
    if (headers.has(name)) throw new SpdyError(`header ${JSON.stringify(name)} comes twice`);
    headers.set(name, text());
  }
  return headers;
}

/** Deflate's longest block without compression. */
const longestStored = 0xffff;

/** A block of nothing. Go's reader gives out what came before it, and without it waits for more. */
const flushed = Buffer.from([0, 0, 0, 0xff, 0xff]);

/** What is not compressed is valid zlib, too; and what a server has to say is little. */
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
