/** Parses durations of flags: all flags accept the same forms. */

import { durationExamples, parseDuration } from '@fleet/kube/duration.ts';
import { UsageError } from './errors.ts';

/** Milliseconds, `least` at the least. */
export function durationOf(flag: string, text: string, least = 1): number {
  const millis = parseDuration(text);
  if (millis !== undefined && millis >= least) return millis;
  throw new UsageError(`${flag} takes a time such as ${durationExamples}, of ${shown(least)} or more, not "${text}"`);
}

const shown = (millis: number): string => (millis % 60_000 === 0 ? `${millis / 60_000}m` : `${millis / 1000}s`);

/** Also a number alone, which is one of seconds. */
export const secondsOrDurationOf = (flag: string, text: string): number =>
  durationOf(flag, /^\d+(\.\d+)?$/.test(text) ? `${text}s` : text);
