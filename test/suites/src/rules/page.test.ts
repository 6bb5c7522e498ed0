/** The page of rules: its form, and that it is true of this repository. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { familiesOf, faultsOf, pagePath, rulesOf, unknownOf, withTests } from './page.ts';
import { quotedAnywhere } from './quotes.ts';

/** The rules here are invented: those of the product would count as proved by this file. */
const section = (number: string, ...paragraphs: string[]): string => [`#### ${number}`, ...paragraphs].join('\n\n');
const pageOf = (...sections: string[]): string => `${['# Rules', 'An intro.', ...sections].join('\n\n')}\n`;

const page = pageOf(
  section('RULE-1', 'It does.', 'Tests: [a/old.test.ts](../../packages/a/src/old.test.ts)'),
  '## Others\n\nOf another kind.',
  section('ORDER-2', 'It orders,\nby name.', 'Not there yet: by age.'),
);

it('is read', () => {
  expect(rulesOf(page).map(({ number, statement, missing }) => [number, statement, missing])).toEqual([
    ['RULE-1', 'It does.', []],
    ['ORDER-2', 'It orders,\nby name.', ['Not there yet: by age.']],
  ]);
  expect(familiesOf(page)).toEqual(['RULE', 'ORDER']);
});

describe('the tests of each rule', () => {
  const quotes = new Map([['ORDER-2', ['packages/a/src/b/new.test.ts', 'test/suites/c.bed.ts']]]);

  it('are written, and those that are gone are taken out; all else stays', () => {
    const tests =
      'Tests: [a/b/new.test.ts](../../packages/a/src/b/new.test.ts),\n[suites/c.bed.ts](../../test/suites/c.bed.ts)';
    const expected = pageOf(
      section('RULE-1', 'It does.'),
      '## Others\n\nOf another kind.',
      section('ORDER-2', 'It orders,\nby name.', 'Not there yet: by age.', tests),
    );
    expect(withTests(page, quotes)).toBe(expected);
  });

  it('are the same when they are written again', () => {
    const once = withTests(page, quotes);
    expect(withTests(once, quotes)).toBe(once);
  });
});

describe('a fault is', () => {
  it.each([
    ['a rule without tests, of which nothing is missing', section('RULE-1', 'It does.'), 'RULE-1 has no tests'],
    ['a rule without a statement', section('RULE-1', 'Not tested: all of it.'), 'RULE-1 has no statement'],
    [
      'a rule that is there twice',
      `${section('RULE-1', 'It does.', 'Not tested: x.')}\n\n${section('RULE-1', 'It does.', 'Not tested: x.')}`,
      'RULE-1 is there twice',
    ],
    [
      'a rule of which all is missing, with tests',
      section('RULE-1', 'It does.', 'Not there yet: all of it.', 'Tests: [a](a)'),
      'RULE-1 has tests now',
    ],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(pageOf(text))).toEqual([expect.stringContaining(fault)]);
  });

  it('none of these', () => {
    const tested = section('RULE-1', 'It does.', 'Not there yet: the rest.', 'Tests: [a](a)');
    expect(faultsOf(pageOf(tested, section('RULE-2', 'It does.', 'Not tested: its end.')))).toEqual([]);
  });

  it('a number that is not on the page', () => {
    const quotes = new Map([
      ['RULE-1', ['a.ts']],
      ['RULE-7', ['a.ts', 'b.md']],
    ]);
    expect(unknownOf(page, quotes)).toEqual(['RULE-7: a.ts, b.md']);
  });
});

describe(pagePath, () => {
  const root = join(import.meta.dirname, '../../../..');
  const real = readFileSync(join(root, pagePath), 'utf8');

  test('every rule names its tests or what is missing', () => {
    expect(faultsOf(real)).toEqual([]);
    expect(rulesOf(real).length).toBeGreaterThan(190);
  });

  // It reads every file of the repository.
  test('every number that is quoted anywhere is a rule', { timeout: 60_000 }, () => {
    const quotes = quotedAnywhere(root, familiesOf(real));
    expect(unknownOf(real, quotes)).toEqual([]);
    expect(quotes.size).toBeGreaterThan(150);
  });
});
