/** Reading a path strictly: what is authorised and what is forwarded must be one string (URL-8). */

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

/** Dot segments change their meaning on the way, encoded or not, so they are refused everywhere. */
export function refuseDotSegments(path: string): void {
  // A slash by itself makes no dots.
  if (!dots.test(path)) return;
  for (const segment of path.split('/')) {
    // Only dots and slashes matter here; a tail may carry bytes that are no valid encoding.
    const decoded = segment.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
    if (decoded.split(/[/\\]/).some(isDots)) throw badRequest(`the path contains a dot segment: "${segment}"`);
  }
}

/** A segment that the product interprets, decoded. */
export function readSegment(raw: string): string {
  refuseDotSegments(raw);
  const decoded = decodeOnce(raw);
  if (decoded === '') throw badRequest('the path contains an empty segment');
  if (decoded.includes('/')) throw badRequest(`the path segment "${raw}" contains an encoded slash`);
  return decoded;
}

const escaped = /%[0-9a-f]{2}/i;
const percent = 0x25;

/**
 * A segment as Go decodes it, byte by byte, before `readSegment` is strict about it: what is no escape stays, and bytes that are
 * no UTF-8 hide nothing that stands beside them. Never throws: an exception for each of 30 000 segments costs a third of a second.
 */
export function decodeLoosely(raw: string): string {
  if (!escaped.test(raw)) return raw;
  const bytes = Buffer.from(raw);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const value = bytes[at] === percent ? hexPair(bytes, at + 1) : undefined;
    bytes[length++] = value ?? bytes[at]!;
    if (value !== undefined) at += 2;
  }
  const decoded = bytes.subarray(0, length);
  return decoded.toString(isUtf8(decoded) ? 'utf8' : 'latin1');
}

function hexPair(bytes: Buffer, at: number): number | undefined {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The raw segments of a path that begins with `/`; none for the root. */
export const rawSegments = (path: string): string[] => (path === '/' ? [] : path.slice(1).split('/'));
