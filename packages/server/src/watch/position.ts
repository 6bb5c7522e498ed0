/** The order of a cluster's resource versions, which are a watcher's positions in it. */

/** Digits of the largest: Kubernetes counts in 64 bits. A longer text would be read anew for each event (SEC-3). */
const longestNumber = 20;

const numberOf = (version: string): number => (version.length > longestNumber ? Number.NaN : Number(version));

/** Versions of a Kubernetes API are decimals that grow; others' are only the same or not. */
export function isBehind(version: string, other: string): boolean {
  return version !== other && numberOf(version) < numberOf(other);
}

export const isCovered = (version: string, from: string): boolean =>
  version === from || numberOf(version) <= numberOf(from);

export const later = (a: string, b: string): string => (isBehind(a, b) ? b : a);
