/** `docs/reference/conformance.md`: which specs were run, and how each ended. Each suite writes a section of its own. */

import { readFile, writeFile } from 'node:fs/promises';
import type { Outcome } from './report.ts';

const reference = new URL('../../../docs/reference/conformance.md', import.meta.url);

export interface Section {
  title: string;
  text: string;
}

type Outcomes = ReadonlyMap<string, Outcome>;

export const word = (outcome: Outcome | undefined): string =>
  outcome ? (outcome.passed ? 'passed' : 'failed') : 'not run';

export const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A row for each spec, a column for each place that it was run at. */
export function outcomeTable(columns: Readonly<Record<string, Outcomes>>): string {
  const specs = [...new Set(Object.values(columns).flatMap((outcomes) => [...outcomes.keys()]))].sort();
  const heads = ['spec', ...Object.keys(columns)];
  const lines = specs.map((spec) =>
    row([spec.replaceAll('|', '\\|'), ...Object.values(columns).map((outcomes) => word(outcomes.get(spec)))]),
  );
  return [row(heads), row(heads.map(() => '---')), ...lines].join('\n');
}

/** The page with this section in place of the one of the same title, or at its end. */
export function withSection(page: string, { title, text }: Section): string {
  const [opening = '', ...sections] = page.split(/^## /m);
  const made = `${title}\n\n${text.trim()}\n`;
  const at = sections.findIndex((section) => section.startsWith(`${title}\n`));
  const all = at < 0 ? [...sections, made] : sections.with(at, made);
  return [opening, ...all]
    .map((part) => part.trimEnd())
    .join('\n\n## ')
    .concat('\n');
}

export async function writeSection(section: Section): Promise<void> {
  await writeFile(reference, withSection(await readFile(reference, 'utf8'), section));
}
