/** `npm run test:long`: what takes longer than a change should wait: differentials over many seeds, bad input, idle watches, all of conformance. */

import { spawnSync } from 'node:child_process';

interface Step {
  title: string;
  suites: string[];
  env: NodeJS.ProcessEnv;
}

const seeds = (process.env['LONG_SEEDS'] ?? '1,2,3,4,5').split(',');
const count = process.env['LONG_COUNT'] ?? '20000';

const steps: Step[] = [
  ...seeds.map((seed) => ({
    title: `seed ${seed}, ${count} requests`,
    suites: [
      'test/differential/differential.bed.ts',
      'test/suites/proxy-differential.bed.ts',
      'test/suites/vanilla-differential.bed.ts',
    ],
    env: { DIFFERENTIAL_SEED: seed, DIFFERENTIAL_COUNT: count },
  })),
  {
    title: 'ten thousand pods in pages',
    suites: ['test/suites/pages.bed.ts'],
    env: { PAGES_RESOURCE: 'pods' },
  },
  {
    title: 'a hundred thousand requests of bad input',
    suites: ['test/suites/bad-input.bed.ts'],
    // Another seed each time; the suite prints it.
    env: {
      BAD_INPUT_SEED: String(Date.now()),
      BAD_INPUT_COUNT: process.env['LONG_BAD_INPUT'] ?? '100000',
    },
  },
  {
    title: 'ten minutes of silence on a watch',
    suites: ['test/suites/idle-watch.bed.ts'],
    env: { IDLE_WATCH_SECONDS: '600' },
  },
  {
    title: 'conformance, written into docs/reference/conformance.md',
    suites: ['test/conformance/conformance.bed.ts'],
    env: { CONFORMANCE: 'long' },
  },
];

let failed = 0;
for (const { title, suites, env } of steps) {
  console.log(`\n=== ${title}`);
  const { status } = spawnSync('vitest', ['run', '--project', 'bed', ...suites], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) failed++;
}
console.log(`\n${steps.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
