/** The smallest text after all texts with a prefix, in the order of their bytes; empty if there is none. */
export function prefixEnd(prefix: string): string {
  const points = [...prefix].map((char) => char.codePointAt(0)!);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // Surrogate halves are not characters.
    if (last < 0x10ffff) return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return '';
}
