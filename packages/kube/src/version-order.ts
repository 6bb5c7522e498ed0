/** Orders the resource versions of one server. Kubernetes compares them as integers since 1.35; other forms have no order. */

export const isDecimal = (version: string): boolean => /^[1-9][0-9]*$/.test(version);

/**
 * Whether it may be a resource version: any printable ASCII that is the same in JSON. A version is put into events, bookmarks and
 * tokens that others are given, too: quotes, escapes and line ends in it could be taken for more than a version (SEC-1).
 */
export const isPlainVersion = (version: string): boolean => /^[ !#-[\]-~]*$/.test(version);

/** Whether it is older than the other. False if one of them is not a number. */
export function isOlder(version: string, than: string): boolean {
  if (!isDecimal(version) || !isDecimal(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

/** Whether it is that version or a later one. If one of them is not a number, only the same version counts. */
export function hasReached(position: string, version: string): boolean {
  if (position === version) return true;
  return isDecimal(position) && isDecimal(version) && !isOlder(position, version);
}
