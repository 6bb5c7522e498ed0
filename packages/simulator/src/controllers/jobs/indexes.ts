/** Sets of completion indexes, as a status writes them: `1,3-5,7`. */

const digits = /^\d{1,10}$/;

/** Those below the limit. */
export function parseIndexes(text: string | undefined, limit: number): Set<number> {
  const indexes = new Set<number>();
  for (const interval of text ? text.split(',') : []) {
    const [first = '', last = first] = interval.split('-');
    if (!digits.test(first) || !digits.test(last)) continue;
    for (let index = Number(first); index <= Math.min(Number(last), limit - 1); index += 1) indexes.add(index);
  }
  return indexes;
}

/** Two neighbours are written one by one. */
export function indexesText(indexes: Iterable<number>): string {
  const parts: string[] = [];
  const sorted = [...indexes].sort((left, right) => left - right);
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === sorted[end]! + 1) end += 1;
    const [first, last] = [sorted[at]!, sorted[end]!];
    if (last === first) parts.push(`${first}`);
    else parts.push(last === first + 1 ? `${first},${last}` : `${first}-${last}`);
    at = end + 1;
  }
  return parts.join(',');
}
