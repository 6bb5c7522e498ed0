/** Converts times to the wall clock of a time zone, without a library. */

import { RecentEntries } from '@fleet/client/recent-entries.ts';

export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  /** 0 is Sunday. */
  weekday: number;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Formatters are expensive. A zone may have many spellings, as Intl ignores case. */
const formats = new RecentEntries<Intl.DateTimeFormat>(50);

function formatOf(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone) ?? newFormat(zone);
  formats.set(zone, format);
  return format;
}

const newFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    weekday: 'short',
  });

const isUtc = (zone: string): boolean => ['', 'UTC', 'Etc/UTC', 'Local'].includes(zone);

export function wallTime(millis: number, zone: string): WallTime {
  if (isUtc(zone)) {
    const date = new Date(millis);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      weekday: date.getUTCDay(),
    };
  }
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(millis)
      .map(({ type, value }) => [type, value]),
  );
  return {
    year: Number(parts['year']),
    month: Number(parts['month']),
    day: Number(parts['day']),
    hour: Number(parts['hour']),
    minute: Number(parts['minute']),
    weekday: weekdays.indexOf(parts['weekday'] ?? ''),
  };
}

const two = (number: number): string => String(number).padStart(2, '0');

/** RFC 3339 with the zone's offset. */
export function zonedText(millis: number, zone: string): string {
  const { year, month, day, hour, minute } = wallTime(millis, zone);
  const second = Math.floor(millis / 1000) % 60;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const offset = Math.round((local - Math.floor(millis / 1000) * 1000) / 60_000);
  const sign = offset < 0 ? '-' : '+';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const suffix = offset === 0 ? 'Z' : `${sign}${two(hours)}:${two(minutes)}`;
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${suffix}`;
}
