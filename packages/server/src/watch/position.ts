/** Compares a cluster's resource versions, which are a watcher's positions in it. */

/** The number of digits of the largest version, of 64 bits. Longer texts would be parsed again for each event (SEC-3). */
const longestNumber = 20;

const numberOf = (version: string): number => (version.length > longestNumber ? Number.NaN : Number(version));

/** Versions of a Kubernetes API are increasing decimals. Others can only be compared for equality. */
export function isBehind(version: string, other: string): boolean {
  return version !== other && numberOf(version) < numberOf(other);
}

export const isCovered = (version: string, from: string): boolean =>
  version === from || numberOf(version) <= numberOf(from);

export const later = (a: string, b: string): string => (isBehind(a, b) ? b : a);
