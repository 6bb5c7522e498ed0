/** JSON from outside may be nested so deep that nothing recursive can read it. */

import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from '@fleet/kube/json-signs.ts';

export const deepest = 1_000;

/**
 * Parses JSON from another program. Throws SyntaxError, also if it is nested too deep. The depth is checked before parsing, since parsing
 * a million brackets takes half a second.
 */
export function parseShallow(bytes: Buffer): unknown {
  if (opensTooMany(bytes)) throw new SyntaxError('nested too deep');
  return JSON.parse(bytes.toString());
}

/** Brackets in strings do not count. The result has no meaning for invalid JSON. */
function opensTooMany(bytes: Buffer): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isString) {
      if (byte === backslash) at++;
      else if (byte === quote) isString = false;
    } else if (byte === quote) isString = true;
    else if (byte === openBrace || byte === openBracket) {
      depth++;
      if (depth > deepest) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}

/** For a parsed value. It goes level by level, since recursion may not be safe. */
export function isTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}
