/**
 * Proves that every regular expression of the product takes time linear in the text (SEC-3), whoever the text comes from:
 * which of them foreign text reaches changes too easily. What backtracks by its nature goes through re2js.
 *
 * One match is proved. Who matches in a loop over one text shows in test/suites/costs.bed.ts that the loop is linear, too.
 */

import { globSync, readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';
import { check } from 'recheck';

interface Found {
  /** Undefined for one that is put together when the program runs. */
  source: string | undefined;
  flags: string;
}

interface Node {
  type?: string;
  pattern?: string;
  flags?: string;
  callee?: { value?: string };
}

/** An automaton decides; a search for bad texts would only fail to find one. */
const verdictOn = (source: string, flags: string) => check(source, flags, { checker: 'automaton', timeout: 60_000 });

function expressionsIn(text: string): Found[] {
  const found: Found[] = [];
  const visit = (_: string, node: Node | null) => {
    if (node?.type === 'RegExpLiteral') found.push({ source: node.pattern, flags: node.flags ?? '' });
    const isCall = node?.type === 'NewExpression' || node?.type === 'CallExpression';
    if (isCall && node.callee?.value === 'RegExp') found.push({ source: undefined, flags: '' });
    return node;
  };
  // Every node passes through it, whatever statement it stands in.
  JSON.stringify(parseSync(text, { syntax: 'typescript', target: 'es2024' }), visit);
  return found;
}

async function faultOf({ source, flags }: Found): Promise<string | undefined> {
  if (source === undefined) return 'new RegExp(…) cannot be proved: write a literal, or use re2js';
  const verdict = await verdictOn(source, flags);
  if (verdict.status === 'safe') return undefined;
  const isKnown = verdict.status === 'vulnerable';
  const why = isKnown ? `${verdict.complexity.summary}, as with ${verdict.attack.pattern}` : verdict.error.kind;
  return `/${source}/${flags} is not proved linear: ${why}`;
}

/** The checker itself: what it must not let pass, and what it must. */
const planted =
  'const bad = (text: string) => /\\s+$/.test(text) || /^(\\d+\\.?\\d*s)+$/.exec(text) || new RegExp(text);';
const good = 'await using x = /^(?:\\d+(?:\\.\\d*)?s)+$/.exec(text);';
const faultsIn = (text: string) => Promise.all(expressionsIn(text).map(faultOf));
const [noticed, invented] = [await faultsIn(planted), await faultsIn(good)];
if (noticed.length !== 3 || noticed.includes(undefined) || invented.length !== 1 || invented[0] !== undefined) {
  console.error('regular expressions: the checker does not separate bad ones from good ones');
  process.exit(1);
}

const files = globSync('packages/*/src/**/*.{ts,mjs}').filter((path) => !/\.test\.ts$|\/testing\//.test(path));
const expressions = files.flatMap((file) =>
  expressionsIn(readFileSync(file, 'utf8')).map((found) => ({ file, ...found })),
);
const byText = Map.groupBy(expressions, ({ file, source, flags }) =>
  source === undefined ? file : `${flags}/${source}`,
);
const faultLines = async ([first]: readonly (Found & { file: string })[]) => {
  const fault = await faultOf(first!);
  return fault === undefined ? [] : [`${first!.file}: ${fault}`];
};
const faults = (await Promise.all([...byText.values()].map(faultLines))).flat();
for (const fault of faults) console.error(fault);
if (faults.length > 0 || expressions.length < 100) process.exit(1);
console.log(`regular expressions: ${byText.size} in ${files.length} modules, all linear`);
// The checker's own process would keep this one alive.
process.exit(0);
