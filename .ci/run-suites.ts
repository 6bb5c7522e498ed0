/**
 * Runs the suites on real clusters, prints which ran, and fails when one that should run did not: all but those of long runs,
 * and some once more on the control plane in the product.
 *
 * Planted bugs (tests named "negative control") are for `npm run test:long`: they take as long as all other tests together.
 *
 * Three run at a time on machines with two cores: they wait for much. Where at most three suites failed beside others, each is run
 * once more alone, with the same seed: one that passes then is printed as flaky with what failed, and is a bug all the same.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { shortEmbeddedSuites } from '../test/embedded-suites.ts';
import { ordinarySuites } from '../test/long-suites.ts';

interface Outcome {
  status: string;
  fullName: string;
  failureMessages?: string[];
}

interface Report {
  /** Times in milliseconds. */
  testResults: { name: string; startTime: number; endTime: number; assertionResults: Outcome[] }[];
}

const folder = mkdtempSync(join(tmpdir(), 'fleet-suites-'));
const outputFile = join(folder, 'report.json');
/** The same each time: whether a change passes does not depend on luck. Long runs use other seeds. */
const seed = process.env['FLEET_BED_SEED'] ?? '7';

const isControl = ({ fullName }: Outcome) => fullName.includes('negative control');

const count = (states: readonly Outcome[], status: string) => states.filter((state) => state.status === status).length;
const isWhole = (states: readonly Outcome[]) => states.length > 0 && count(states, 'passed') === states.length;

/** The clusters have memory to spare, and collecting garbage takes a tenth of their CPU time. */
const lazyCollection = { GOGC: '400' };

/** Beside the suite's own line, as who reads only the end of a log wants to know, too. */
function printFailed(states: readonly Outcome[]): void {
  for (const { status, fullName, failureMessages = [] } of states) {
    if (status !== 'failed') continue;
    const lines = failureMessages.join('\n').split('\n');
    const message = lines.filter((line) => !line.trimStart().startsWith('at '));
    const shown = message.length > 16 ? [...message.slice(0, 8), '…', ...message.slice(-8)] : message;
    console.log([`  failed: ${fullName}`, ...shown.map((line) => line.slice(0, 300))].join('\n    '));
  }
}

interface Run {
  /** Of vitest, which also fails for errors outside of tests. */
  status: number | null;
  suites: Map<string, Outcome[]>;
}

function run(expected: readonly string[], env: NodeJS.ProcessEnv): Run {
  rmSync(outputFile, { force: true });
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile', outputFile];
  const without = ['--testNamePattern', '^(?!.*negative control)'];
  const { status } = spawnSync('vitest', ['run', '--project', 'bed', ...without, ...reporters, ...expected], {
    stdio: 'inherit',
    env: { FLEET_BED_SUITES_AT_ONCE: '3', ...lazyCollection, ...process.env, FLEET_BED_SEED: seed, ...env },
  });
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
  const of = (suite: string) => testResults.find(({ name }) => relative(process.cwd(), name) === suite);
  const outcomesOf = (suite: string) => (of(suite)?.assertionResults ?? []).filter((outcome) => !isControl(outcome));
  const suites = new Map(expected.map((suite) => [suite, outcomesOf(suite)]));
  // Those that failed last, as a log may be kept in part only.
  for (const [suite, states] of [...suites].sort(([, a], [, b]) => Number(isWhole(b)) - Number(isWhole(a)))) {
    const [passed, failed] = [count(states, 'passed'), count(states, 'failed')];
    const skipped = states.length - passed - failed;
    const { startTime = 0, endTime = 0 } = of(suite) ?? {};
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    console.log(
      `${isWhole(states) ? 'ran ' : 'FAIL'} ${suite}: ${counts} in ${Math.round((endTime - startTime) / 1000)} s`,
    );
    printFailed(states);
  }
  const failed = expected.filter((suite) => !isWhole(suites.get(suite)!));
  if (failed.length > 0) console.log(`not whole: ${failed.join(', ')}`);
  const all = [...suites.values()].flat();
  console.log(`${count(all, 'passed')} passed, ${count(all, 'failed')} failed`);
  return { status, suites };
}

const isSound = ({ status, suites }: Run) => status === 0 && [...suites.values()].every(isWhole);

/** More of them are no chance. */
const mostFlaky = 3;

/** False unless all of the expected ones ran and passed, some of them possibly alone. */
function passes(expected: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const first = run(expected, env);
  if (isSound(first)) return true;
  const failed = expected.filter((suite) => !isWhole(first.suites.get(suite) ?? []));
  if (failed.length === 0) console.log('errors outside of tests, printed above');
  if (failed.length === 0 || failed.length > mostFlaky) return false;
  const again = failed.map((suite) => ({ suite, passed: isSound(run([suite], env)) }));
  for (const { suite, passed } of again)
    console.log(`FLAKY ${suite}: failed beside others, ${passed ? 'passed' : 'failed'} alone; FLEET_BED_SEED=${seed}`);
  return again.every(({ passed }) => passed);
}

console.log(`FLEET_BED_SEED=${seed}`);
const results = [passes(ordinarySuites(), {}), passes(shortEmbeddedSuites, { FLEET_BED_CONTROL_PLANE: 'embedded' })];
rmSync(folder, { recursive: true });
process.exit(results.every((sound) => sound) ? 0 : 1);
