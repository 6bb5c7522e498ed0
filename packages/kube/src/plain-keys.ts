/**
 * Refuses JSON keys that readers understand differently. Of two equal keys clients use the last, they decode escapes, and Go's
 * JSON decoder, with which client-go reads kinds, ignores case: a member that writes such keys could show an object
 * under another cluster's name, for a client to delete there (SEC-1).
 */

import { eachMember, JsonBytesError, type Span, spanIs } from './json-bytes.ts';
import { backslash } from './json-signs.ts';

/** Throws at a key of plain letters that is written with escapes; all keys that are looked for have plain letters. */
export function refuseEscapes(bytes: Buffer, key: Span): void {
  for (let at = key.start; at < key.end; at++) {
    if (bytes[at] !== backslash) continue;
    if (/^[A-Za-z]*$/.test(textOf(bytes, key))) throw new JsonBytesError('a key that is hidden by an escape');
    return;
  }
}

/** The decoded text between two quotes. */
export function textOf(bytes: Buffer, { start, end }: Span): string {
  try {
    return JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string;
  } catch (cause) {
    throw new JsonBytesError('a key that cannot be read', { cause });
  }
}

/** Upper case first: Go folds `ſ` to s, and the Kelvin sign to k. */
const folded = (key: string): string => key.toUpperCase().toLowerCase();

/** Longer keys are none of those looked for, even if each letter is escaped. */
const longestKey = 6 * 32;

/** Visits members as `eachMember` does, those of `names` by name. Throws if one occurs twice, or in another spelling. */
export function eachKnownMember<Name extends string>(
  bytes: Buffer,
  at: number,
  names: readonly Name[],
  visit: (name: Name | undefined, value: number) => number | undefined,
): number {
  const seen = new Set<Name>();
  return eachMember(bytes, at, (key, value) => {
    const name = names.find((known) => spanIs(bytes, key, known));
    if (name === undefined) refuseLookalike(bytes, key, names);
    else if (seen.has(name)) throw new JsonBytesError(`${name} twice in one object`);
    else seen.add(name);
    return visit(name, value);
  });
}

/** Whether Go's JSON decoder takes the key for this name. */
export const looksLike = (bytes: Buffer, key: Span, name: string): boolean =>
  key.end - key.start <= longestKey && folded(textOf(bytes, key)) === name;

function refuseLookalike(bytes: Buffer, key: Span, names: readonly string[]): void {
  if (key.end - key.start > longestKey) return;
  const text = folded(textOf(bytes, key));
  if (names.some((name) => folded(name) === text)) throw new JsonBytesError(`a key that looks like ${text}`);
}
