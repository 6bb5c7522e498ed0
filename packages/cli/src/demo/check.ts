/** Runs every stop of the tour until its output is as expected. It does not stop at the first failure, so that one run reports all of them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stop } from './tour.ts';

export interface CheckOptions {
  env: NodeJS.ProcessEnv;
  write(text: string): void;
  signal: AbortSignal;
  /** How long a stop may take to show it, in milliseconds: pods take a while to start. */
  within?: number;
}

const pause = 300;
/** Of one command, whatever it waits for. */
const endWithin = 60_000;

/** The lines that failed. */
export async function checkTour(tour: readonly Stop[], options: CheckOptions): Promise<string[]> {
  const failed: string[] = [];
  for (const stop of tour) if (!(await checkStop(stop, options))) failed.push(stop.line);
  return failed;
}

async function checkStop({ line, shows }: Stop, options: CheckOptions): Promise<boolean> {
  const { write, signal, within = 20_000 } = options;
  const end = Date.now() + within;
  for (;;) {
    const { code, output } = await run(line, options);
    const missing = shows.filter((shown) => !hasLine(output, shown));
    const works = code === 0 && missing.length === 0;
    if (!works && Date.now() < end) {
      await delay(pause, undefined, { signal });
      continue;
    }
    write(`\n$ ${line}\n${output}`);
    if (!works) write(`FAILED: exit code ${code}, does not show ${missing.join(', ') || 'an error'}\n`);
    return works;
  }
}

/** Whether a line has these words in their order, each the beginning of one of its own. */
function hasLine(output: string, shown: string): boolean {
  return output.split('\n').some((line) => {
    const words = line.split(' ').values();
    return shown.split(' ').every((word) => words.some((own) => own.startsWith(word)));
  });
}

async function run(line: string, { env, signal }: CheckOptions): Promise<{ code: number | null; output: string }> {
  const child = spawn('sh', ['-c', `exec 2>&1\n${line}`], {
    env,
    signal: AbortSignal.any([signal, AbortSignal.timeout(endWithin)]),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  return { code: code as number | null, output };
}
