/** Cron schedules as Kubernetes takes them: five fields, `@hourly` and the like, `@every`, and a leading `TZ=`. */

import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { isTimeZone, type WallTime, wallTime } from './time-zone.ts';

export interface Schedule {
  /** The first time after it, in milliseconds; undefined if there is none within five years. */
  next(after: number): number | undefined;
}

interface Field {
  values: ReadonlySet<number>;
  /** Every value, without a step: a day then has to match only by the other field. */
  isStar: boolean;
}

interface Bounds {
  low: number;
  high: number;
  names?: readonly string[];
}

const bounds: readonly Bounds[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  {
    low: 1,
    high: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { low: 0, high: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const minuteMillis = 60_000;
const hourMillis = 60 * minuteMillis;
const dayMillis = 24 * hourMillis;
const horizon = 5 * 366 * dayMillis;

/** Throws with cron's words where it cannot be read. */
export function parseSchedule(text: string, timeZone = ''): Schedule {
  if (text === '') throw new Error('empty spec string');
  let [zone, spec] = [timeZone, text];
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const end = text.indexOf(' ');
    zone = text.slice(text.indexOf('=') + 1, end === -1 ? text.length : end);
    spec = end === -1 ? '' : text.slice(end).trim();
  }
  if (!isTimeZone(zone)) throw new Error(`provided bad location ${zone}: unknown time zone ${zone}`);
  if (spec.startsWith('@every ')) return every(spec.slice('@every '.length), text);
  if (spec.startsWith('@')) {
    const fields = descriptors[spec];
    if (!fields) throw new Error(`unrecognized descriptor: ${spec}`);
    spec = fields;
  }
  const parts = spec.split(/\s/).filter((part) => part !== '');
  if (parts.length !== bounds.length) {
    throw new Error(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  }
  const fields = parts.map((part, index) => parseField(part, bounds[index]!));
  return { next: (after) => nextTime(fields as Fields, zone, after) };
}

function every(duration: string, text: string): Schedule {
  const nanos = parseGoDuration(duration);
  if (nanos === undefined) throw new Error(`failed to parse duration ${text}: time: invalid duration "${duration}"`);
  const millis = Math.max(1, Math.floor(Number(nanos) / 1e9)) * 1000;
  return { next: (after) => Math.floor(after / 1000) * 1000 + millis };
}

function parseField(text: string, bound: Bounds): Field {
  const values = new Set<number>();
  let isStar = false;
  for (const part of text.split(',').filter((one) => one !== '')) {
    const range = parseRange(part, bound);
    isStar ||= range.isStar;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
  }
  return { values, isStar };
}

function parseRange(
  text: string,
  { low, high, names }: Bounds,
): { start: number; end: number; step: number; isStar: boolean } {
  const [range = '', stepText, ...slashes] = text.split('/');
  const [first = '', last, ...hyphens] = range.split('-');
  if (slashes.length > 0) throw new Error(`too many slashes: ${text}`);
  if (hyphens.length > 0) throw new Error(`too many hyphens: ${text}`);
  const isAny = first === '*' || first === '?';
  const start = isAny ? low : number(first, names);
  const step = stepText === undefined ? 1 : number(stepText);
  const single = stepText === undefined ? start : high;
  const end = isAny ? high : last === undefined ? single : number(last, names);
  if (start < low) throw new Error(`beginning of range (${start}) below minimum (${low}): ${text}`);
  if (end > high) throw new Error(`end of range (${end}) above maximum (${high}): ${text}`);
  if (start > end) throw new Error(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${text}`);
  return { start, end, step, isStar: isAny && step === 1 };
}

function number(text: string, names: readonly string[] = []): number {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  if (!/^\+?\d{1,9}$/.test(text)) {
    if (/^-\d{1,9}$/.test(text)) throw new Error(`negative number (${text}) not allowed: ${text}`);
    throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`);
  }
  return Number(text);
}

type Fields = [minute: Field, hour: Field, day: Field, month: Field, weekday: Field];

/** Both fields of the day, unless both are restricted: then either. */
function isDay([, , day, month, weekday]: Fields, wall: WallTime): boolean {
  if (!month.values.has(wall.month)) return false;
  const [byDate, byWeekday] = [day.values.has(wall.day), weekday.values.has(wall.weekday)];
  return day.isStar || weekday.isStar ? byDate && byWeekday : byDate || byWeekday;
}

function nextTime(fields: Fields, zone: string, after: number): number | undefined {
  const [minute, hour] = fields;
  let time = Math.floor(after / minuteMillis) * minuteMillis + minuteMillis;
  while (time - after < horizon) {
    const wall = wallTime(time, zone);
    if (!isDay(fields, wall)) time = nextDay(time, wall, zone);
    else if (!hour.values.has(wall.hour)) time += (60 - wall.minute) * minuteMillis;
    else if (!minute.values.has(wall.minute)) time += minuteMillis;
    else return time;
  }
  return undefined;
}

/** Its first minute, whatever daylight saving does to midnight. */
function nextDay(time: number, { day, hour, minute }: WallTime, zone: string): number {
  let next = time + dayMillis - hour * hourMillis - minute * minuteMillis;
  const wall = wallTime(next, zone);
  if (wall.day === day) next += dayMillis - wall.hour * hourMillis - wall.minute * minuteMillis;
  const early = next - hourMillis;
  return wallTime(early, zone).day === wallTime(next, zone).day && early > time ? early : next;
}
