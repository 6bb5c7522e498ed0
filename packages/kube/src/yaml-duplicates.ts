/** Finds duplicate keys in YAML, with the error texts of kube-apiserver's parser (go-yaml's strict mode). */

import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { linesOf } from './yaml-fault.ts';

/** One text for each duplicate: `line 3: key "a" already set in map`. */
export function yamlDuplicates(text: string): string[] {
  const options = { version: '1.1', uniqueKeys: false, logLevel: 'silent' } as const;
  return [...duplicatesIn(parseDocument(text, options).contents, linesOf(text))];
}

/** Joins them into one error. */
export const yamlErrors = (faults: readonly string[]): string =>
  `yaml: unmarshal errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;

/** Inner duplicates come first, as Go reads a value before it stores it. */
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
