/** Values that must not be there twice: found in one pass, however many there are. */

/** Of each value, whether it was there before. */
export function repeatedIn(values: readonly (string | number)[]): boolean[] {
  const seen = new Set<string | number>();
  return values.map((value) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  });
}
