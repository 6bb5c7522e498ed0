/** What an unread piece of a client's bytes takes in memory: it is not only its bytes (SEC-2). */

/** In bytes: the objects around a piece, however short it is. */
export const pieceCost = 256;

/** In its own memory where it would keep much more alive: the chunk that it came in, or a slab that it shares with others. */
export function ownMemory(piece: Buffer): Buffer {
  if (piece.buffer.byteLength <= 2 * piece.length) return piece;
  const own = Buffer.allocUnsafeSlow(piece.length);
  piece.copy(own);
  return own;
}
