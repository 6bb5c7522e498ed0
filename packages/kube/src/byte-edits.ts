/** Replaces ranges of a buffer. */

export interface ByteEdit {
  start: number;
  end: number;
  /** Undefined removes the bytes. */
  text?: string;
}

/** Overlapping edits are merged: bytes that any of them removes are gone. */
export function editBytes(bytes: Buffer, edits: readonly ByteEdit[]): Buffer {
  if (edits.length === 0) return bytes;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start > from) pieces.push(bytes.subarray(from, start));
    if (text !== undefined) pieces.push(Buffer.from(text));
    from = Math.max(from, end);
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}
