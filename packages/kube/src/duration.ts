/** Parses the durations of flags and settings: Go's, such as `500ms` or `1h30m`, optionally with days first, as in `30d` or `1d12h`. */

import { parseGoDuration } from './go-duration.ts';

const day = 24 * 60 * 60 * 1000;

/** Examples for error messages. */
export const durationExamples = '30s, 5m, 1h30m or 30d';

/** Returns milliseconds; undefined if the text is not a duration, or a negative one. */
export function parseDuration(text: string): number | undefined {
  const [, days, rest = text] = /^(\d{1,6})d(.*)$/s.exec(text) ?? [];
  const nanos = days !== undefined && rest === '' ? 0n : parseGoDuration(rest);
  if (nanos === undefined || /^[+-]/.test(rest)) return undefined;
  return Number(days ?? 0) * day + Number(nanos) / 1e6;
}
