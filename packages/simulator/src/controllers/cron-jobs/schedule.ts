/** Parses cron schedules as Kubernetes does: five fields, `@hourly` and the like, `@every`, and a leading `TZ=`. */

import {
  type Bounds,
  bounds,
  descriptors,
  everyPrefix,
  scheduleFault,
} from '@fleet/apiserver/kinds/cron-jobs/schedule.ts';
import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { type WallTime, wallTime } from './time-zone.ts';

export interface Schedule {
  /** The first run after that time, in milliseconds; undefined if there is none within five years. */
  next(after: number): number | undefined;
}

interface Field {
  values: ReadonlySet<number>;
  /** The field has every value, without a step: then a day has to match the other day field only. */
  isStar: boolean;
}

const minuteMillis = 60_000;
const hourMillis = 60 * minuteMillis;
const dayMillis = 24 * hourMillis;
const horizon = 5 * 366 * dayMillis;

/** Throws with cron's error text if it cannot be parsed. */
export function parseSchedule(text: string, timeZone = ''): Schedule {
  const fault = scheduleFault(text);
  if (fault !== undefined) throw new Error(fault);
  let [zone, spec] = [timeZone, text];
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const end = text.indexOf(' ');
    zone = text.slice(text.indexOf('=') + 1, end);
    spec = text.slice(end).trim();
  }
  if (spec.startsWith(everyPrefix)) return every(spec.slice(everyPrefix.length));
  const parts = (descriptors.get(spec) ?? spec).split(/\s/).filter((part) => part !== '');
  const fields = parts.map((part, index) => parseField(part, bounds[index]!));
  return { next: (after) => nextTime(fields as Fields, zone, after) };
}

/** Whole seconds, at least one. */
function every(duration: string): Schedule {
  const seconds = Math.max(1, Math.floor(Number(parseGoDuration(duration) ?? 0n) / 1e9));
  return { next: (after) => (Math.floor(after / 1000) + seconds) * 1000 };
}

function parseField(text: string, { min, max, names = [] }: Bounds): Field {
  const number = (one: string): number => {
    const named = names.indexOf(one.toLowerCase());
    return named >= 0 ? named : Number(one);
  };
  const values = new Set<number>();
  let isStar = false;
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [range = '', stepText] = part.split('/');
    const [first = '', last] = range.split('-');
    const isAny = first === '*' || first === '?';
    const step = stepText === undefined ? 1 : Number(stepText);
    const start = isAny ? min : number(first);
    // `5/20` extends to the maximum.
    const single = stepText === undefined ? start : max;
    const end = isAny ? max : last === undefined ? single : number(last);
    for (let value = start; value <= end; value += step) values.add(value);
    isStar ||= isAny && step === 1;
  }
  return { values, isStar };
}

type Fields = [minute: Field, hour: Field, day: Field, month: Field, weekday: Field];

/** Both day fields have to match, unless both are restricted: then either one. */
function isDay([, , day, month, weekday]: Fields, wall: WallTime): boolean {
  if (!month.values.has(wall.month)) return false;
  const [byDate, byWeekday] = [day.values.has(wall.day), weekday.values.has(wall.weekday)];
  return day.isStar || weekday.isStar ? byDate && byWeekday : byDate || byWeekday;
}

function nextTime(fields: Fields, zone: string, after: number): number | undefined {
  const [minute, hour, , month] = fields;
  let time = Math.floor(after / minuteMillis) * minuteMillis + minuteMillis;
  while (time - after < horizon) {
    const wall = wallTime(time, zone);
    const left = month.values.has(wall.month) ? 0 : daysLeft(wall);
    // Not to the last day of the month: daylight saving may turn it into the first of the next.
    if (left > 1) time += (left - 1) * dayMillis;
    else if (!isDay(fields, wall)) time = nextDay(time, wall, zone);
    else if (!hour.values.has(wall.hour)) time += (60 - wall.minute) * minuteMillis;
    else if (!minute.values.has(wall.minute)) time += minuteMillis;
    else return time;
  }
  return undefined;
}

/** The days left in the month. */
const daysLeft = ({ year, month, day }: WallTime): number => new Date(Date.UTC(year, month, 0)).getUTCDate() - day;

/** The first minute of the next day, whatever daylight saving does to midnight. */
function nextDay(time: number, { day, hour, minute }: WallTime, zone: string): number {
  let next = time + dayMillis - hour * hourMillis - minute * minuteMillis;
  const wall = wallTime(next, zone);
  if (wall.day === day) next += dayMillis - wall.hour * hourMillis - wall.minute * minuteMillis;
  const early = next - hourMillis;
  return wallTime(early, zone).day === wallTime(next, zone).day && early > time ? early : next;
}
