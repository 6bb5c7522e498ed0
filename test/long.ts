/** `npm run test:long`: what takes longer than a change should wait: differentials over many seeds and requests. */

import { spawnSync } from 'node:child_process';

const seeds = (process.env['LONG_SEEDS'] ?? '1,2,3,4,5').split(',');
const count = process.env['LONG_COUNT'] ?? '20000';
const suites = ['test/differential/differential.bed.ts', 'test/suites/proxy-differential.bed.ts'];

let failed = 0;
for (const seed of seeds) {
  console.log(`\n=== seed ${seed}, ${count} requests`);
  const { status } = spawnSync('vitest', ['run', '--project', 'bed', ...suites], {
    stdio: 'inherit',
    env: { ...process.env, DIFFERENTIAL_SEED: seed, DIFFERENTIAL_COUNT: count },
  });
  if (status !== 0) failed++;
}
console.log(`\n${seeds.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
