/** The order of names in results: by code unit, as Go compares the ASCII names of clusters. */

export const byName = (left: { name: string }, right: { name: string }): number => compareText(left.name, right.name);

export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
