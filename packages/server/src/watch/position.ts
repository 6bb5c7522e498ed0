/** The order of a cluster's resource versions, which are a watcher's positions in it. */

/** Versions of a Kubernetes API are decimals that grow; others' are only the same or not. */
export function isBehind(version: string, other: string): boolean {
  return version !== other && Number(version) < Number(other);
}

export const isCovered = (version: string, from: string): boolean =>
  version === from || Number(version) <= Number(from);

export const later = (a: string, b: string): string => (isBehind(a, b) ? b : a);
