/** How far a cluster has been told: its own versions, put in order. */

/** Versions of a Kubernetes API are decimals that grow; others' are only the same or not. */
export function isBehind(version: string, other: string): boolean {
  return version !== other && Number(version) < Number(other);
}

export const isCovered = (version: string, from: string): boolean =>
  version === from || Number(version) <= Number(from);

export const later = (a: string, b: string): string => (isBehind(a, b) ? b : a);
