/** Suffixes names in an object's bytes: the suffix goes in where a name ends, everything else is left as it is. */

import { eachElement, eachMember, isArray, isObject, spanIs, stop, stringSpan } from '@fleet/kube/json-bytes.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';

/** Where the suffix belongs in an object: its name, its owners' names, what an Event is about (NAME-4, NAME-12). */
export function objectInsertions(bytes: Buffer, at: number, isEvent: boolean): number[] {
  const { name, owners, involved } = findObjectNames(bytes, at, isEvent);
  return [name, ...owners, ...involved].flatMap((span) => (span ? [span.end] : [])).sort((a, b) => a - b);
}

/** Where it belongs in a Table's row: cells that print a name, and the row's object (LIST-5). */
export function rowInsertions(bytes: Buffer, nameColumns: ReadonlySet<number>, isEvent: boolean): number[] {
  const insertions: number[] = [];
  let cellsSeen = false;
  eachMember(bytes, 0, (key, value) => {
    if (spanIs(bytes, key, 'cells') && isArray(bytes, value)) {
      cellsSeen = true;
      return eachElement(bytes, value, (cell, index) => {
        const text = nameColumns.has(index) ? stringSpan(bytes, cell) : undefined;
        if (text) insertions.push(text.end);
      });
    }
    if (spanIs(bytes, key, 'object') && isObject(bytes, value)) {
      insertions.push(...objectInsertions(bytes, value, isEvent));
      // Rows end with their object: what is behind its names need not be walked.
      if (cellsSeen) return stop;
    }
    return undefined;
  });
  return insertions.sort((a, b) => a - b);
}

/** The bytes with `suffix` put in at each offset, as pieces that share the original's memory. */
export function* spliced(bytes: Buffer, insertions: readonly number[], suffix: Buffer): Generator<Buffer> {
  let from = 0;
  for (const at of insertions) {
    yield bytes.subarray(from, at);
    yield suffix;
    from = at;
  }
  yield from === 0 ? bytes : bytes.subarray(from);
}
