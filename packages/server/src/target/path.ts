/** Reading a path strictly: what is authorised and what is forwarded must be one string (URL-8). */

import { badRequest } from '@fleet/kube/status.ts';

const isDots = (text: string): boolean => text === '.' || text === '..';

function decodeOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw badRequest(`the path segment "${segment}" is not valid percent-encoding`, { cause });
  }
}

/** Dot segments change their meaning on the way, encoded or not, so they are refused everywhere. */
export function refuseDotSegments(path: string): void {
  if (!/[.%]/.test(path)) return;
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

/** A segment as far as it can be decoded: enough to tell what a path asks, before `readSegment` is strict about it. */
export function decodeLoosely(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** The raw segments of a path that begins with `/`; none for the root. */
export const rawSegments = (path: string): string[] => (path === '/' ? [] : path.slice(1).split('/'));
