/** Finds repeated values in one pass. */

/** For each value, whether it occurred before. */
export function repeatedIn(values: readonly (string | number)[]): boolean[] {
  const seen = new Set<string | number>();
  return values.map((value) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  });
}
