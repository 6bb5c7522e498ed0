/** Decodes bytes to text as Go's JSON encoder does: each invalid UTF-8 byte becomes one U+FFFD. */

import { isUtf8 } from 'node:buffer';

const replacement = Buffer.from('\ufffd');

export function goText(bytes: Buffer): string {
  const text = bytes.toString();
  // Node replaces several bytes with one U+FFFD; if it replaced none, all bytes were valid.
  return text.includes('\ufffd') && !isUtf8(bytes) ? replaced(bytes) : text;
}

function replaced(bytes: Buffer): string {
  const good = Buffer.alloc(bytes.length * replacement.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = characterSize(bytes, at);
    if (size > 0) length += bytes.copy(good, length, at, at + size);
    else length += replacement.copy(good, length);
    at += size || 1;
  }
  return good.toString('utf8', 0, length);
}

/** The second byte has its own range where the character would be overlong, a surrogate, or beyond Unicode. */
const secondByte: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

/** 0 if no character begins here. */
function characterSize(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + size > bytes.length) return 0;
  for (let index = 1; index < size; index++) {
    const [lowest, highest] = (index === 1 && secondByte[first]) || [0x80, 0xbf];
    const byte = bytes[at + index]!;
    if (byte < lowest || byte > highest) return 0;
  }
  return size;
}
