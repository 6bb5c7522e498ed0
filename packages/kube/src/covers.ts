/** Whether `found` contains all of `expected`; fields that servers and other clients added do not matter. */
export function covers(found: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return expected === found;
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(expected) && expected.length !== (found as unknown[]).length) return false;
  return Object.entries(expected).every(([key, value]) => covers((found as Record<string, unknown>)[key], value));
}
