/** Whether `found` contains all of `wanted`; fields that servers and other clients added do not matter. */
export function covers(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return wanted === found;
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(wanted) && wanted.length !== (found as unknown[]).length) return false;
  return Object.entries(wanted).every(([key, value]) => covers((found as Record<string, unknown>)[key], value));
}
