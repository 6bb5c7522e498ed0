/** 32-bit FNV hashes, encoded for names and labels with the alphabet of `rand.SafeEncodeString`. */

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const offset = 0x811c9dc5;
const prime = 0x01000193;

export const safeEncoded = (text: string): string =>
  Array.from(text, (sign) => alphabet[sign.charCodeAt(0) % alphabet.length]).join('');

export function fnv32(bytes: Uint8Array): number {
  let hash = offset;
  for (const byte of bytes) hash = Math.imul(hash, prime) ^ byte;
  return hash >>> 0;
}

export function fnv32a(bytes: Uint8Array): number {
  let hash = offset;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}
