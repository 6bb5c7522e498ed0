/** FNV-1a of 32 bits over the text's UTF-8, as names of Works and ties between clusters are derived from it (FED-1, FED-5). */

const offset = 0x811c9dc5;
const prime = 0x01000193;

export function fnv1a32(text: string): number {
  let hash = offset;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}
