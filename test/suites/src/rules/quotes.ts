/** Which files quote which rule: tests in the names of their cases and in their opening comments, everything else anywhere. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** Rules, each with the files that quote it, sorted. */
export type Quotes = ReadonlyMap<string, readonly string[]>;

const number = (families: readonly string[]): RegExp =>
  new RegExp(`\\b(${families.join('|')})-(\\d+)(?: to \\1-(\\d+))?(?!\\d)`, 'g');

/** `LIST-1 to LIST-3` are three. */
export function rulesIn(text: string, families: readonly string[]): string[] {
  const rules = [...text.matchAll(number(families))].flatMap(([, family, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${family}-${Number(first) + index}`),
  );
  return [...new Set(rules)];
}

interface Node {
  type?: string;
  value?: unknown;
  cooked?: unknown;
}

/** Texts in quotes. Comments and regular expressions are none. */
function literalsIn(source: string): string[] {
  const literals: string[] = [];
  const visit = (_: string, node: Node | null) => {
    if (node?.type === 'StringLiteral') literals.push(String(node.value));
    if (node?.type === 'TemplateElement') literals.push(String(node.cooked));
    return node;
  };
  // Every node passes through it, whatever statement it stands in.
  JSON.stringify(parseSync(source, { syntax: 'typescript', target: 'es2024' }), visit);
  return literals;
}

const definesTests = (path: string, source: string): boolean =>
  /\.(?:test|sim|guide|bed)\.ts$/.test(path) || /^import .* from 'vitest';$/m.test(source);

/** What one file's tests prove by their names. */
export function provedIn(path: string, source: string, families: readonly string[]): string[] {
  if (rulesIn(source, families).length === 0) return [];
  const literals = literalsIn(source);
  if (definesTests(path, source)) {
    const [opening = ''] = /^\/\*\*[\s\S]*?\*\//.exec(source) ?? [];
    return rulesIn([opening, ...literals].join('\n'), families);
  }
  // Tables of cases, whose names begin with the rule.
  const names = literals.filter((literal) => /^[A-Z]+-\d+[^:]*:/.test(literal));
  return path.startsWith('test/') ? rulesIn(names.join('\n'), families) : [];
}

const quotesOf = (files: readonly string[], rulesOf: (file: string) => readonly string[]): Quotes => {
  const quotes = new Map<string, string[]>();
  for (const file of files.toSorted())
    for (const rule of rulesOf(file)) quotes.set(rule, [...(quotes.get(rule) ?? []), file]);
  return quotes;
};

const filesOf = (root: string, patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (path) => /(?:^|\/)node_modules$/.test(path) });

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

export const quotedByTests = (root: string, families: readonly string[]): Quotes =>
  quotesOf(filesOf(root, ['{packages,test}/**/*.ts']), (file) => provedIn(file, read(root, file), families));

const everything = [
  '*.{md,ts}',
  '.ci/*',
  '{packages,test,docs,benchmarks,examples}/**/*.{c,go,json,md,mjs,sh,ts,yaml}',
];

export const quotedAnywhere = (root: string, families: readonly string[]): Quotes =>
  quotesOf(filesOf(root, everything), (file) => rulesIn(read(root, file), families));
