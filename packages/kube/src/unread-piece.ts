/** Measures the memory of an unread piece of a client's bytes, which is more than its bytes (SEC-2). */

/** In bytes: the objects around a piece, however short it is. */
export const pieceCost = 256;

/** Copies a piece that would keep much more memory alive: the chunk that it came in, or a shared slab. */
export function ownMemory(piece: Buffer): Buffer {
  if (piece.buffer.byteLength <= 2 * piece.length) return piece;
  const own = Buffer.allocUnsafeSlow(piece.length);
  piece.copy(own);
  return own;
}
