/** Runs the suites on real clusters, tells which ran, and fails when one that should run did not. */

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

interface Report {
  testResults: { name: string; assertionResults: { status: string }[] }[];
}

const expected = globSync('test/**/*.bed.ts').sort();
const folder = mkdtempSync(join(tmpdir(), 'fleet-suites-'));
const outputFile = join(folder, 'report.json');
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'bed', '--reporter', 'default', '--reporter', 'json', '--outputFile', outputFile],
  { stdio: 'inherit', env: { FLEET_BED_SUITES_AT_ONCE: '2', ...process.env } },
);
const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
rmSync(folder, { recursive: true });

const count = (states: { status: string }[], wanted: string) =>
  states.filter((state) => state.status === wanted).length;
let sound = status === 0;
for (const suite of expected) {
  const states = testResults.find(({ name }) => relative(process.cwd(), name) === suite)?.assertionResults ?? [];
  const [passed, failed] = [count(states, 'passed'), count(states, 'failed')];
  const ran = passed > 0 && passed === states.length;
  console.log(
    `${ran ? 'ran ' : 'FAIL'} ${suite}: ${passed} passed, ${failed} failed, ${states.length - passed - failed} skipped`,
  );
  sound &&= ran;
}
const all = testResults.flatMap(({ assertionResults }) => assertionResults);
console.log(`${count(all, 'passed')} passed, ${count(all, 'failed')} failed`);
process.exit(sound ? 0 : 1);
