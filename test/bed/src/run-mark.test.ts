import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { killMarked, markedEnv, markedPids } from './run-mark.ts';

it('finds and kills marked processes and what they started, stopped or in a session of their own', async () => {
  const run = randomUUID();
  const other = spawn('sleep', ['100'], { env: markedEnv(randomUUID()) });
  const script = 'setsid sleep 100 & echo started; sleep 100';
  const shell = spawn('sh', ['-c', script], { env: markedEnv(run), stdio: ['ignore', 'pipe', 'ignore'] });
  await once(shell.stdout, 'data');
  expect((await markedPids(run)).length).toBeGreaterThanOrEqual(2);
  shell.kill('SIGSTOP');
  await killMarked(run);
  expect(await markedPids(run)).toEqual([]);
  // the mark is the member's own
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill('SIGKILL');
  await once(other, 'exit');
});
