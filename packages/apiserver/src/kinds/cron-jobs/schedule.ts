/** Validates cron schedules, with the error texts of `robfig/cron`, which Kubernetes uses. */

import { isGoDuration } from '@fleet/kube/go-duration.ts';
import { quoted } from '../../errors/quoted.ts';
import { isTimeZone } from './time-zone.ts';

export interface Bounds {
  min: number;
  max: number;
  names?: readonly string[];
}

const monthNames = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
export const bounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: monthNames },
  { min: 0, max: 6, names: dayNames },
];

/** The schedule that each descriptor stands for. */
export const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

export const everyPrefix = '@every ';

/** Undefined if it is valid. */
export function scheduleFault(text: string): string | undefined {
  let schedule = text;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const end = text.indexOf(' ');
    if (end < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
    const zone = text.slice(text.indexOf('=') + 1, end);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    schedule = text.slice(end).trim();
  }
  if (schedule.startsWith('@')) return descriptorFault(schedule);
  const fields = schedule.split(/\s+/).filter(Boolean);
  if (fields.length !== bounds.length)
    return `expected exactly ${bounds.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(',').filter(Boolean)) {
      const fault = rangeFault(range, bounds[index]!);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith(everyPrefix)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(everyPrefix.length);
  return isGoDuration(duration) ? undefined : `failed to parse duration ${text}: time: ${durationFault(duration)}`;
}

/** Go's error text. */
function durationFault(text: string): string {
  const unit = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)([^0-9.]*)$/.exec(text)?.[1];
  if (unit === undefined) return `invalid duration ${quoted(text)}`;
  return unit === ''
    ? `missing unit in duration ${quoted(text)}`
    : `unknown unit ${quoted(unit)} in duration ${quoted(text)}`;
}

/** `number`, `number-number`, either with `/step`; or a star. */
function rangeFault(range: string, limits: Bounds): string | undefined {
  const [span = '', ...steps] = range.split('/');
  const ends = span.split('-');
  const isStar = ends[0] === '*' || ends[0] === '?';
  if (!isStar && ends.length > 2) {
    const first = numberOf(ends[0]!, limits.names);
    return typeof first === 'string' ? first : `too many hyphens: ${range}`;
  }
  const [start, last] = isStar ? [limits.min, limits.max] : ends.map((end) => numberOf(end, limits.names));
  if (typeof start === 'string') return start;
  if (typeof last === 'string') return last;
  if (steps.length > 1) return `too many slashes: ${range}`;
  const step = steps.length === 1 ? numberOf(steps[0]!, undefined) : 1;
  if (typeof step === 'string') return step;
  const isOpen = steps.length === 1 && ends.length === 1;
  const end = isOpen ? limits.max : (last ?? start!);
  if (start! < limits.min) return `beginning of range (${start}) below minimum (${limits.min}): ${range}`;
  if (end > limits.max) return `end of range (${end}) above maximum (${limits.max}): ${range}`;
  if (start! > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** A number, or the error text. */
function numberOf(text: string, names: readonly string[] | undefined): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0 && text !== '') return named;
  const fault = (why: string) => `failed to parse int from ${text}: strconv.Atoi: parsing ${quoted(text)}: ${why}`;
  if (!/^[+-]?[0-9]+$/.test(text)) return fault('invalid syntax');
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) !== value) return fault('value out of range');
  return value < 0n ? `negative number (${value}) not allowed: ${text}` : Number(value);
}
