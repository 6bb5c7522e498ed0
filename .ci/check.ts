/** All static checks, as many at a time as there are cores; prints the output of each when it ends. */

import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The longest first. */
const checks = ['types', 'style', 'unused', 'regexps', 'imports', 'rules', 'words'];
const failed: string[] = [];

async function checkNext(): Promise<void> {
  for (let check = checks.shift(); check; check = checks.shift()) {
    const script = `check:${check}`;
    // Also of one that fails.
    const { stdout, stderr, code } = await run('npm', ['run', '--silent', script], { maxBuffer: 2 ** 26 }).then(
      (output) => ({ ...output, code: 0 }),
      (error: { stdout: string; stderr: string; code: number }) => error,
    );
    console.log(`=== npm run ${script}\n${stdout}${stderr}`.trimEnd());
    if (code !== 0) failed.push(script);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, checkNext));
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
