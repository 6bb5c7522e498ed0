/**
 * Finds words of our own in comments, names, texts and documents, where Kubernetes has a term (vocabulary.ts).
 *
 * `--all` also counts the hits of each folder that is not covered yet; names of folders and files list their hits.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { exceptions, type Rule, rules } from './vocabulary.ts';

/** What is checked. A folder may name rules that it does not keep yet. */
const covered: Readonly<Record<string, readonly string[]>> = {
  '.ci': [],
  benchmarks: [],
  docs: [],
  examples: [],
  'packages/agent': [],
  'packages/apiserver': [],
  'packages/cache': [],
  'packages/cli': [],
  'packages/client': [],
  'packages/federation': [],
  'packages/kube': [],
  'packages/server': [],
  'packages/simulator': [],
  'packages/tunnel': [],
  'README.md': [],
  'CHANGELOG.md': [],
  'CONTRIBUTING.md': [],
  'SECURITY.md': [],
  test: [],
};

/** Not ours to word, or a copy of text that is checked where it stands. */
const leftOut: readonly { path: RegExp; reason: string }[] = [
  { path: /\/generated\//, reason: 'written by other programs' },
  { path: /^\.ci\/(vocabulary|check-words)\.ts$/, reason: 'names the words' },
];

interface Hit {
  path: string;
  line: number;
  rule: Rule;
  text: string;
}

/** A name of a file in a text. It is checked where the file is. */
const fileName = /[\w./@-]+\.(ts|mjs|md|sh|ya?ml|json)\b/g;
/** One word each: `placesInLine` becomes `places In Line`. Line breaks stay, so that lines can be counted. */
const spread = (text: string) => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/(?<=\w)[-_](?=\w)/g, ' ');

/** A phrase may continue on the next line of a comment. */
const acrossLines = (pattern: RegExp) => new RegExp(pattern.source.replaceAll(' ', '[\\s*/>]+'), 'gi');

const compiled = rules.map((rule) => ({ rule, pattern: acrossLines(rule.pattern) }));
const compiledExceptions = exceptions.map((exception) => ({ ...exception, text: acrossLines(exception.text) }));
const usedExceptions = new Set<RegExp>();

function isExcepted(path: string, text: string, start: number, end: number): boolean {
  return compiledExceptions.some((exception, index) => {
    if (exception.files && !exception.files.test(path)) return false;
    const near = text.slice(Math.max(0, start - 100), end + 100);
    const offset = Math.max(0, start - 100);
    const found = [...near.matchAll(exception.text)].some(
      (match) => offset + match.index <= start && offset + match.index + match[0].length >= end,
    );
    if (found) usedExceptions.add(exceptions[index]!.text);
    return found;
  });
}

function hitsIn(path: string, source: string): Hit[] {
  const text = spread(`${path}\n${source.replace(fileName, 'FILE')}`);
  const lines = text.split('\n');
  return compiled.flatMap(({ rule, pattern }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      if (isExcepted(path, text, match.index, match.index + match[0].length)) return [];
      const line = text.slice(0, match.index).split('\n').length - 1;
      return [{ path, line, rule, text: lines[line]!.trim() }];
    }),
  );
}

const planted = '// The feed gives\n// up: misfits of placesInLine, and has been told';
if (hitsIn('x.ts', planted).length !== 4 || hitsIn('x.ts', '// It is all right; the way it works').length !== 0) {
  console.error('words: the check does not separate good words from bad ones');
  process.exit(1);
}

const tracked = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs', '*.md'],
  {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  },
);
const paths = tracked.split('\n').filter((path) => path !== '' && !leftOut.some((left) => left.path.test(path)));
const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const folderOf = (path: string) => Object.keys(covered).find((folder) => isBelow(path, folder));
const hitsOf = (path: string) => hitsIn(path, readFileSync(path, 'utf8'));
const print = (hits: readonly Hit[]) => {
  for (const { path, line, rule, text } of hits)
    console.error(`${path}:${line}: "${rule.name}", say ${rule.say}: ${text}`);
};

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (asked.length > 0) {
  const hits = paths.filter((path) => asked.some((folder) => isBelow(path, folder))).flatMap(hitsOf);
  print(hits);
  const byRule = Map.groupBy(hits, ({ rule }) => rule.name);
  for (const [name, found] of byRule) console.log(`${String(found.length).padStart(6)} ${name}`);
  console.log(`words: ${hits.length} hits in ${asked.join(', ')}`);
  process.exit(hits.length > 0 ? 1 : 0);
}

const checkedPaths = paths.filter((path) => folderOf(path) !== undefined);
const hits = checkedPaths.flatMap((path) =>
  hitsOf(path).filter(({ rule }) => !covered[folderOf(path)!]!.includes(rule.name)),
);
print(hits);
const idle = exceptions.filter(({ text }) => !usedExceptions.has(text));
if (process.argv.includes('--all')) {
  const open = paths.filter((path) => folderOf(path) === undefined);
  const byFolder = Map.groupBy(open, (path) =>
    path
      .split('/')
      .slice(0, /^(packages|test)\//.test(path) ? 2 : 1)
      .join('/'),
  );
  for (const [folder, files] of byFolder) {
    console.log(`${String(files.flatMap(hitsOf).length).padStart(6)} ${folder} (${files.length} files)`);
  }
  for (const { reason, text } of idle) console.log(`exception without a hit: ${text.source} (${reason})`);
}
if (hits.length > 0) process.exit(1);
console.log(`words: ${checkedPaths.length} files in ${Object.keys(covered).join(', ')}`);
