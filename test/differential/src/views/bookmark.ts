/**
 * What counts of a bookmark: its kind and metadata. kube-apiserver sends the empty fields of the Go type besides, and in a Table
 * a row of empty cells.
 */

interface Bookmark {
  type: string;
  object: {
    kind: string;
    apiVersion: string;
    metadata: unknown;
    columnDefinitions?: unknown;
    rows?: { object: { metadata: unknown } | null }[];
  };
}

export const isBookmark = (line: string): boolean => /^\{"type":\s*"BOOKMARK"/.test(line);

/** Other lines as they are. */
export function bookmarkShown(line: string): string {
  if (!isBookmark(line)) return line;
  const { type, object } = JSON.parse(line) as Bookmark;
  const { kind, apiVersion, metadata, columnDefinitions, rows } = object;
  const rowsOfTable = rows?.map((row) => row.object?.metadata ?? null);
  return JSON.stringify({ type, object: { kind, apiVersion, metadata, columnDefinitions, rows: rowsOfTable } });
}
