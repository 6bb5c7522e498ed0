/** Writes JSON as Go writes a map: sorted keys, and `<`, `>`, `&` escaped. Equal objects have equal texts. */

export const canonicalJson = (value: unknown): string =>
  JSON.stringify(ordered(value)).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The same value with sorted keys. */
export function ordered<T>(value: T): T {
  if (Array.isArray(value)) return value.map(ordered) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, held]) => [key, ordered(held)]),
  ) as T;
}
