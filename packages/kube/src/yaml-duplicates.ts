/** Keys that stand twice in YAML, in the words of the parser that kube-apiserver has (go-yaml's strict mode). */

import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { linesOf } from './yaml-fault.ts';

/** One for each: `line 3: key "a" already set in map`. */
export function yamlDuplicates(text: string): string[] {
  const options = { version: '1.1', uniqueKeys: false, logLevel: 'silent' } as const;
  return [...duplicatesIn(parseDocument(text, options).contents, linesOf(text))];
}

/** As one error. */
export const yamlErrors = (faults: readonly string[]): string =>
  `yaml: unmarshal errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;

/** What lies deeper is told first, as Go reads a value before it looks where to put it. */
function* duplicatesIn(node: unknown, lineOf: (at: number) => number): Generator<string> {
  if (isSeq(node)) for (const item of node.items) yield* duplicatesIn(item, lineOf);
  if (!isMap(node)) return;
  const seen = new Set<unknown>();
  for (const { key, value } of node.items) {
    yield* duplicatesIn(value, lineOf);
    const name = isScalar(key) ? key.value : key;
    const at = ((value ?? key) as Node | null)?.range?.[0] ?? 0;
    if (seen.has(name)) yield `line ${lineOf(at) + 1}: key ${JSON.stringify(name)} already set in map`;
    seen.add(name);
  }
}
