/** The error when the demo's server ends by itself: the reason, or the file that has it. */

import { readFile } from 'node:fs/promises';

interface Log {
  logFile: string;
  /** Whether the log is there after the demo. */
  isKept: boolean;
}

const lastLines = 10;

export async function productEnded(how: string | number, { logFile, isKept }: Log): Promise<Error> {
  const ended = `the product ended (${how})`;
  if (isKept) return new Error(`${ended}: see ${logFile}`);
  // After an orderly end the folder may be gone already, and nobody asks.
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  return new Error([`${ended}${lines.length > 0 ? ':' : ''}`, ...lines.slice(-lastLines)].join('\n'));
}
