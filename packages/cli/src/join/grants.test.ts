import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { grants } from './grants.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/member-rights.md'), 'utf8');

test.each(grants)('IMP-6: the reference lists $role with all of its rights', ({ role, account, rules }) => {
  const row = page.split('\n').find((line) => line.includes(`\`${role}\``));
  expect(row).toContain(account);
  for (const { resources = [], nonResourceURLs = [], verbs } of rules) {
    for (const word of [...resources, ...nonResourceURLs, ...verbs]) expect(row).toContain(word);
  }
});

test('IMP-6: the reference lists no role that join does not make', () => {
  const listed = [...page.matchAll(/^\|[^|]*\| `(fleet:[^`]+)` \|/gm)].map(([, role]) => role);
  expect(listed).toEqual(grants.map(({ role }) => role));
});
