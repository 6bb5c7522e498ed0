/**
 * Differences that are meant to be, from a Markdown table with a reason in each line:
 *
 *   | suite | verb | resource | path | where | left | right | reason |
 *
 * A cell but the reason is a pattern: `*` stands for any text, and so does an empty cell. A pipe in a cell is written `\|`.
 */
import { readFile } from 'node:fs/promises';
import type { Delta } from './compare/delta.ts';
import type { Call } from './request.ts';

export interface ToleratedRow {
  readonly line: string;
  readonly suite: string;
  matches(call: Call, delta: Delta): boolean;
}

const columns = 8;

/** The rows for one suite; the other suites' are not its business. */
export async function readTolerated(path: string, suite: string): Promise<ToleratedRow[]> {
  return parseTolerated(await readFile(path, 'utf8')).filter((row) => pattern(row.suite).test(suite));
}

export function parseTolerated(markdown: string): ToleratedRow[] {
  const lines = markdown.split('\n');
  // Further tables of the page are about something else.
  const table = lines.slice(lines.findIndex((line) => line.startsWith('| suite |')));
  const end = table.findIndex((line) => !line.startsWith('|'));
  // the first two are the head and the rule under it
  return table.slice(2, end < 0 ? undefined : end).map((line) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`|`$/g, '').replaceAll('\\|', '|'));
    if (cells.length !== columns) throw new Error(`${columns} columns expected: ${line}`);
    const [suite = '', verb = '', resource = '', path = '', where = '', left = '', right = '', reason = ''] = cells;
    if (reason === '') throw new Error(`a reason is missing: ${line}`);
    const patterns = [verb, resource, path, where, left, right].map(pattern);
    return {
      line,
      suite,
      matches: (call, delta) =>
        [call.verb, call.resource, call.request.path, delta.where, delta.left, delta.right].every((text, at) =>
          patterns[at]?.test(text),
        ),
    };
  });
}

function pattern(cell: string): RegExp {
  if (cell === '') return /^/;
  const parts = cell.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
