/** Bytes with some of them replaced. */

export interface ByteEdit {
  start: number;
  end: number;
  /** Nothing: the bytes are taken out. */
  text?: string;
}

/** Edits that overlap are one: what any of them takes out is gone. */
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
