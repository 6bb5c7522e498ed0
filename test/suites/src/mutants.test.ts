/** The bugs that suites on real clusters plant are texts of the product: each must stand where it is said, once. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source;
const planted = new RegExp(`file: (${literal}),\\s*from: (${literal}),`, 'g');
/** What the literal means. Ours alone: they come from the suites beside. */
const meaning = (text: string): string => new Function(`return ${text}`)();

const mutants = globSync('test/**/*.bed.ts', { cwd: root }).flatMap((suite) =>
  [...readFileSync(join(root, suite), 'utf8').matchAll(planted)].map(([, file, from]) => ({
    suite,
    file: meaning(file!),
    from: meaning(from!),
  })),
);

test('there are some', () => expect(mutants.length).toBeGreaterThan(10));

test.each(mutants)('$suite: $from', ({ file, from }) => {
  const source = readFileSync(join(root, 'packages', file), 'utf8');
  expect(source.split(from).length - 1).toBe(1);
});
