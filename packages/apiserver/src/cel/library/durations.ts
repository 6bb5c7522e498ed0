/** Parses and formats durations and timestamps as Go does, with nanoseconds. */

import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { parseRfc3339 } from '@fleet/kube/rfc3339.ts';
import { withoutEnding } from '@fleet/kube/trim-end.ts';
import { EvaluationError } from '../values.ts';

/** Nanoseconds of `1h30m`; undefined for an invalid duration. */
export const parseDuration = parseGoDuration;

const isZero = (digit: string): boolean => digit === '0';

/** In the form `90s` or `1.5s`. */
export function durationText(nanos: bigint): string {
  return `${inSeconds(nanos)}s`;
}

function inSeconds(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const digits = String(size % 1_000_000_000n).padStart(9, '0');
  const fraction = withoutEnding(digits, isZero);
  return `${nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${fraction ? `.${fraction}` : ''}`;
}

/** Nanoseconds since 1970 of an RFC 3339 time; undefined for an invalid time. */
export function parseTime(text: string): bigint | undefined {
  const time = parseRfc3339(text);
  return time && BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanos);
}

/** RFC 3339 with the non-zero digits of the fraction. */
export function timeText(nanos: bigint): string {
  const { millis, rest } = split(nanos);
  const fraction = withoutEnding(String(rest).padStart(9, '0'), isZero);
  return `${new Date(Number(millis)).toISOString().slice(0, 19)}${fraction ? `.${fraction}` : ''}Z`;
}

/** Whole seconds as milliseconds, and the nanoseconds above them. */
function split(nanos: bigint): { millis: bigint; rest: bigint } {
  const rest = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { millis: (nanos - rest) / 1_000_000n, rest };
}

/** The parts of a time in a zone: a name of the database, or an offset such as `+02:00`. */
export function inZone(nanos: bigint, zone = 'UTC'): { date: Date; nanos: number } {
  const { millis, rest } = split(nanos);
  return { date: new Date(Number(millis) + offsetOf(Number(millis), zone)), nanos: Number(rest) };
}

function offsetOf(millis: number, zone: string): number {
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours !== undefined) return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
      millis,
    );
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, plus, h = '0', m = '0'] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return (Number(h) * 60 + Number(m)) * 60_000 * (plus === '-' ? -1 : 1);
  } catch (cause) {
    throw new EvaluationError(`unknown time zone ${zone}`, { cause });
  }
}
