/** Answers as they are compared: as text, in which the order of members counts, without what may differ. */

import type { Answer } from '../request.ts';

/**
 * Columns whose cells show a time relative to now (CACHE-13), which is not the same moment in two answers. Cells with such a
 * time in brackets are compared without it.
 */
const timeColumns = new Set(['Age', 'Last Seen', 'First Seen', 'Duration', 'Last Schedule']);
/** Where a member stands when it is asked for a version to come. */
const current = /, current: \d+/;
const ago = / \(\S+ ago\)$/;

interface ListBody {
  kind?: string;
  metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  columnDefinitions?: { name: string }[];
  rows?: { cells: unknown[] }[];
  message?: string;
}

export const versionOf = ({ body }: Answer): string | undefined => (body as ListBody).metadata?.resourceVersion;
export const continueOf = ({ body }: Answer): string | undefined => (body as ListBody).metadata?.continue;

/** With everything whose order clients see. */
export function shown({ status, headers, body }: Answer): string {
  const list = body as ListBody;
  const { metadata } = list;
  // Tokens are opaque: whether there is one counts.
  const comparable = metadata?.continue ? { ...metadata, continue: 'more' } : metadata;
  const times = new Set((list.columnDefinitions ?? []).flatMap(({ name }, at) => (timeColumns.has(name) ? at : [])));
  const rows = list.rows?.map((row) => ({
    ...row,
    cells: row.cells.map((cell, at) => (times.has(at) ? 'time' : timeless(cell))),
  }));
  const { message } = list;
  const answer = {
    status,
    type: headers['content-type'],
    warnings: told299(headers['warning']),
    body: {
      ...list,
      ...(comparable ? { metadata: comparable } : {}),
      ...(rows ? { rows } : {}),
      ...(message ? { message: message.replace(current, '') } : {}),
    },
  };
  return JSON.stringify(answer, versionFirst);
}

/** That a member's objects are old is what only the cache reports (CACHE-12). */
const stale = /(, )?299 - "cluster \\"[^"]*\\" cannot be reached: its objects are those of [^"]*"/g;
const told299 = (warnings: string | string[] | undefined): string =>
  [warnings ?? []].flat().join(', ').replace(stale, '').replace(/^, /, '');

/** Simulated members write it first where they have it from their history, last where they do not. */
export function versionFirst(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('resourceVersion' in value)) return value;
  const { resourceVersion, ...rest } = value;
  return { resourceVersion, ...rest };
}

const timeless = (cell: unknown): unknown => (typeof cell === 'string' ? cell.replace(ago, '') : cell);

/** Where two texts part, with what stands around it. */
export function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 160), at + 160);
  return `at ${at}\n    cached: …${around(one)}…\n    live:   …${around(other)}…`;
}
