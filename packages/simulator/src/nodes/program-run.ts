/** Derives from a program's name and arguments how long it runs, and its exit code. */

import { sleepSeconds } from '../shell/commands/system.ts';
import type { Run } from './behaviour.ts';

export const forever: Run = { seconds: undefined, exitCode: 0, reason: 'Completed' };

/** The container runtime could not start it. */
export const neverStarted: Run = { seconds: 0, exitCode: 128, reason: 'StartError' };

export const endsWith = (exitCode: number, seconds: number): Run => ({
  seconds,
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
});

/** The duration of a program that does little and ends. */
export const shortly = 0.5;

/** The part of a path after its last slash. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Undefined if unknown, as for a server. */
export function programRun(name: string, args: readonly string[]): Run | undefined {
  switch (name) {
    case 'true':
    case 'echo':
    case 'printf':
    case 'date':
    case 'hostname':
    case 'env':
    case 'ls':
    case 'cat':
    case 'touch':
    case 'rm':
    case 'mkdir':
    case 'test':
      return endsWith(0, shortly);
    case 'false':
      return endsWith(1, shortly);
    case 'exit':
      return endsWith(exitCodeOf(args[0]), 0);
    case 'sleep':
      return sleepRun(args);
    case 'tail':
      return args.some((arg) => arg.startsWith('-f') || arg === '-F') ? forever : endsWith(0, shortly);
    default:
      return undefined;
  }
}

function sleepRun(args: readonly string[]): Run {
  const seconds = sleepSeconds(args);
  if (typeof seconds === 'object') return endsWith(1, shortly);
  return seconds === Number.POSITIVE_INFINITY ? forever : endsWith(0, seconds);
}

/** A shell uses the lowest byte. */
const exitCodeOf = (text = '0'): number => (/^\d{1,9}$/.test(text) ? Number(text) & 255 : 2);
