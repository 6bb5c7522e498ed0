import { expect, test } from 'vitest';
import type { Outcome } from './report.ts';
import { simulatedSection } from './simulated-section.ts';

const passed: Outcome = { passed: true, seconds: 1, message: undefined };
const failed = (message: string): Outcome => ({ passed: false, seconds: 1, message });

test('counts what passes on both sides, and gives each failure its reason', () => {
  const known = '[sig-apps] Job should delete a job [Conformance]';
  const bed = new Map<string, Outcome>([
    ['b | c', passed],
    ['a', passed],
    [known, failed('timedout: A suite timeout occurred')],
  ]);
  const simulated = new Map<string, Outcome>([
    ['a', failed('failed: expected\n  1 | 2')],
    ['b | c', passed],
    [known, passed],
  ]);
  const { text } = simulatedSection({ version: 'v1', bed, simulated });
  expect(text).toContain('Of 3 specs 2 pass on the member and 2 on the simulated cluster: 1 of those 2, and 1 more.');
  expect(text.split('\n').slice(-3)).toEqual([
    `| ${known} | failed (pods of Jobs do not go on running) | passed |`,
    '| a | passed | failed (failed: expected 1 \\| 2) |',
    '| b \\| c | passed | passed |',
  ]);
});
