/** Durations as every flag and setting takes them: Go's, such as `500ms` or `1h30m`, and days before them, as in `30d` or `1d12h`. */

import { parseGoDuration } from './go-duration.ts';

const day = 24 * 60 * 60 * 1000;

/** What examples of it look like in messages. */
export const durationExamples = '30s, 5m, 1h30m or 30d';

/** Milliseconds; undefined for what is no duration, or a negative one. */
export function parseDuration(text: string): number | undefined {
  const [, days, rest = text] = /^(\d{1,6})d(.*)$/s.exec(text) ?? [];
  const nanos = days !== undefined && rest === '' ? 0n : parseGoDuration(rest);
  if (nanos === undefined || /^[+-]/.test(rest)) return undefined;
  return Number(days ?? 0) * day + Number(nanos) / 1e6;
}
