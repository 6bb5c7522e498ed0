/** The bugs that suites on real clusters plant are texts of the product: each must be in the file that is named, once. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { describe, expect, test } from 'vitest';
import { mutants as definitions } from '../apiserver-crds/mutants.ts';
import { plantedBugs } from '../kubectl-scripts/mutants.ts';

const root = join(import.meta.dirname, '../../..');
const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source;
const planted = new RegExp(`file: (${literal}),\\s*from: (${literal}),`, 'g');
/** All that name a file of the product for a bug, in whatever form. */
const named = /file: .?(?:apiserver|cache|cli|client|kube|server|simulator|tunnel)\/src\//g;
/** What the literal means. Ours alone: they come from the suites beside. */
const meaning = (text: string): string => new Function(`return ${text}`)();

/** Tables of mutants stand in files of their own, too. */
const sources = globSync('test/**/*.ts', { cwd: root, exclude: (path) => basename(path) === 'node_modules' })
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ path }) => path !== 'test/suites/src/mutants.test.ts');

/** These are put together, not written out. */
const tables: Readonly<Record<string, readonly Mutant[]>> = {
  'test/suites/apiserver-crds/mutants.ts': definitions.map(({ mutant }) => mutant),
  'test/suites/kubectl-scripts/mutants.ts': plantedBugs,
};

const written = sources.flatMap(({ path, text }) =>
  [...text.matchAll(planted)].map(([, file, from]) => ({ path, file: meaning(file!), from: meaning(from!) })),
);
const mutants = [
  ...written,
  ...Object.entries(tables).flatMap(([path, table]) => table.map(({ file, from }) => ({ path, file, from }))),
];

describe('all are looked at', () => {
  test.each(sources.filter(({ path, text }) => !(path in tables) && text.match(named)))('$path', ({ path, text }) => {
    expect(written.filter((one) => one.path === path)).toHaveLength(text.match(named)!.length);
  });

  test('those in files of their own, too', () => {
    const paths = new Set(mutants.map(({ path }) => path));
    expect([...paths]).toEqual(
      expect.arrayContaining([...Object.keys(tables), 'test/chaos/src/permissions/mutants.ts']),
    );
  });
});

test.each(mutants)('$path: $from', ({ file, from }) => {
  // Some are written from the root: those in libraries have to be.
  const path = [join(root, 'packages', file), join(root, file)].find((path) => existsSync(path));
  const source = readFileSync(path ?? file, 'utf8');
  expect(source.split(from).length - 1).toBe(1);
});
