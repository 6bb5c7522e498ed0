/** Parses paths strictly: the authorised path and the forwarded one must be the same string (URL-8). */

import { isUtf8 } from 'node:buffer';
import { badRequest } from '@fleet/kube/status.ts';

const isDots = (text: string): boolean => text === '.' || text === '..';

function decodeOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw badRequest(`the path segment "${segment}" is not valid percent-encoding`, { cause });
  }
}

const dots = /\.|%2e/i;

/** Dot segments, encoded or not, may be resolved by any server on the way, so they are always refused. */
export function refuseDotSegments(path: string): void {
  // Slashes alone cannot make a dot segment.
  if (!dots.test(path)) return;
  for (const segment of path.split('/')) {
    // Only dots and slashes matter: an opaque tail may contain invalid encodings.
    const decoded = segment.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
    if (decoded.split(/[/\\]/).some(isDots)) throw badRequest(`the path contains a dot segment: "${segment}"`);
  }
}

/** Decodes a segment that the product interprets. */
export function readSegment(raw: string): string {
  refuseDotSegments(raw);
  const decoded = decodeOnce(raw);
  if (decoded === '') throw badRequest('the path contains an empty segment');
  if (decoded.includes('/')) throw badRequest(`the path segment "${raw}" contains an encoded slash`);
  return decoded;
}

const percent = 0x25;
const firstNotAscii = 0x80;

/**
 * Decodes a segment as Go does, byte by byte, before `readSegment` checks it. Invalid escapes stay as they are, and invalid UTF-8 does
 * not hide the bytes beside it. Never throws: an exception for each of 30 000 segments takes a third of a second.
 */
export function decodeLoosely(raw: string): string {
  if (!raw.includes('%')) return raw;
  // As latin1, one character per byte: most segments are ASCII, and a Buffer for each would take longer than everything else.
  let bytes = '';
  let isAscii = true;
  const text = notAscii.test(raw) ? Buffer.from(raw).toString('latin1') : raw;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const escaped = code === percent ? hexPair(text, at + 1) : undefined;
    bytes += String.fromCharCode(escaped ?? code);
    isAscii &&= (escaped ?? code) < firstNotAscii;
    if (escaped !== undefined) at += 2;
  }
  if (isAscii) return bytes;
  const decoded = Buffer.from(bytes, 'latin1');
  return isUtf8(decoded) ? decoded.toString() : bytes;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the first of them is where ASCII begins.
const notAscii = /[^\x00-\x7f]/;

function hexPair(text: string, at: number): number | undefined {
  const [high, low] = [hexDigit(text.charCodeAt(at)), hexDigit(text.charCodeAt(at + 1))];
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

/** Negative if the character is not a digit, or after the end. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The raw segments of a path that begins with `/`; none for the root. */
export const rawSegments = (path: string): string[] => (path === '/' ? [] : path.slice(1).split('/'));
