/**
 * Runs the suites on real clusters, tells which ran, and fails when one that should run did not: all but those of long runs,
 * and some once more on the control plane in the product.
 */

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { shortEmbeddedSuites } from '../test/embedded-suites.ts';
import { longSuites } from '../test/long-suites.ts';

interface Outcome {
  status: string;
  fullName: string;
  failureMessages?: string[];
}

interface Report {
  testResults: { name: string; assertionResults: Outcome[] }[];
}

const folder = mkdtempSync(join(tmpdir(), 'fleet-suites-'));
const outputFile = join(folder, 'report.json');

const count = (states: Outcome[], wanted: string) => states.filter((state) => state.status === wanted).length;

/** Beside the suite's own line, as who reads only the end of a log wants to know, too. */
function tellFailed(states: Outcome[]): void {
  for (const { status, fullName, failureMessages = [] } of states) {
    if (status !== 'failed') continue;
    const lines = failureMessages.join('\n').split('\n');
    const told = lines.filter((line) => !line.trimStart().startsWith('at ')).slice(0, 12);
    console.log([`  failed: ${fullName}`, ...told].join('\n    '));
  }
}

/** False unless all of the expected ones ran and passed. */
function ran(expected: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile', outputFile];
  const { status } = spawnSync('vitest', ['run', '--project', 'bed', ...reporters, ...expected], {
    stdio: 'inherit',
    env: { FLEET_BED_SUITES_AT_ONCE: '2', ...process.env, ...env },
  });
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
  let sound = status === 0;
  for (const suite of expected) {
    const states = testResults.find(({ name }) => relative(process.cwd(), name) === suite)?.assertionResults ?? [];
    const [passed, failed] = [count(states, 'passed'), count(states, 'failed')];
    const isWhole = passed > 0 && passed === states.length;
    console.log(
      `${isWhole ? 'ran ' : 'FAIL'} ${suite}: ${passed} passed, ${failed} failed, ${states.length - passed - failed} skipped`,
    );
    tellFailed(states);
    sound &&= isWhole;
  }
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  console.log(`${count(all, 'passed')} passed, ${count(all, 'failed')} failed`);
  return sound;
}

const suites = globSync('test/**/*.bed.ts').sort();
const results = [
  ran(
    suites.filter((suite) => !longSuites.includes(suite)),
    {},
  ),
  ran(shortEmbeddedSuites, { FLEET_BED_CONTROL_PLANE: 'embedded' }),
];
rmSync(folder, { recursive: true });
process.exit(results.every((sound) => sound) ? 0 : 1);
