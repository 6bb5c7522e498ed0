/** Which files quote which rule. The rules here are invented: those of the product would count as proved by this file. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { provedIn, quotedAnywhere, quotedByTests, rulesIn } from './quotes.ts';

const families = ['RULE', 'ORDER'];

describe('rules in a text', () => {
  it.each([
    ['RULE-1: does', ['RULE-1']],
    ['(RULE-2, ORDER-10)', ['RULE-2', 'ORDER-10']],
    ['RULE-1 and RULE-1', ['RULE-1']],
    ['RULE-8 to RULE-10', ['RULE-8', 'RULE-9', 'RULE-10']],
    ['RULE-8 to ORDER-10', ['RULE-8', 'ORDER-10']],
    ['SHA-256, XRULE-1, RULE-, RULE', []],
  ])('%s', (text, rules) => {
    expect(rulesIn(text, families)).toEqual(rules);
  });
});

describe('what a file’s tests prove', () => {
  const proved = (path: string, ...lines: string[]) => provedIn(path, lines.join('\n'), families);

  it('by the names of cases, also in tables and templates', () => {
    const lines = ["it('RULE-1: x', () => {});", 'it(`RULE-2: x`);', "it.each([['RULE-3: y', 1]])('ORDER-4: %s', f);"];
    expect(proved('packages/a/src/a.test.ts', ...lines)).toEqual(['RULE-1', 'RULE-2', 'RULE-3', 'ORDER-4']);
  });

  it('by the opening comment, and by no other', () => {
    const lines = ['/** A suite (RULE-1). */', '// RULE-2', '/** RULE-3 */', "const quote = /'RULE-4'/;"];
    expect(proved('test/a/a.bed.ts', ...lines)).toEqual(['RULE-1']);
  });

  it('in parts of a suite, too, which define tests', () => {
    const lines = ["import { test } from 'vitest';", "test('RULE-1', f);"];
    expect(proved('test/a/part.ts', ...lines)).toEqual(['RULE-1']);
    expect(proved('packages/a/src/testing/contract.ts', ...lines)).toEqual(['RULE-1']);
  });

  it('of tables in other files below test, names that begin with the rule', () => {
    const lines = ['/** RULE-1 */', "const cases = [{ name: 'RULE-2 RULE-3: x' }];", "const text = 'as in RULE-4: x';"];
    expect(proved('test/a/cases.ts', ...lines)).toEqual(['RULE-2', 'RULE-3']);
    expect(proved('packages/a/src/a.ts', ...lines)).toEqual([]);
  });
});

it('finds files, but not those of others', () => {
  const root = mkdtempSync(join(tmpdir(), 'fleet-rules-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('packages/a/src/a.test.ts', "it('RULE-1');");
  write('packages/a/src/a.ts', '// RULE-2');
  write('packages/a/node_modules/b/b.test.ts', "it('RULE-3');");
  write('.ci/check.ts', '// RULE-4');
  write('docs/a.md', 'RULE-1, RULE-5');
  write('README.md', 'RULE-6');
  expect([...quotedByTests(root, families)]).toEqual([['RULE-1', ['packages/a/src/a.test.ts']]]);
  const anywhere = quotedAnywhere(root, families);
  expect([...anywhere.keys()].sort()).toEqual(['RULE-1', 'RULE-2', 'RULE-4', 'RULE-5', 'RULE-6']);
  expect(anywhere.get('RULE-1')).toEqual(['docs/a.md', 'packages/a/src/a.test.ts']);
  rmSync(root, { recursive: true });
});
