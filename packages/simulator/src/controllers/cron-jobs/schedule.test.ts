import { describe, expect, it } from 'vitest';
import { parseSchedule } from './schedule.ts';
import { zonedText } from './time-zone.ts';

const next = (schedule: string, after: string, zone?: string): string | undefined => {
  const time = parseSchedule(schedule, zone).next(Date.parse(after));
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe('parseSchedule', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:30Z', '2026-01-01T00:01:00.000Z'],
    ['*/15 * * * *', '2026-01-01T00:15:00Z', '2026-01-01T00:30:00.000Z'],
    ['5/20 * * * *', '2026-01-01T00:26:00Z', '2026-01-01T00:45:00.000Z'],
    ['0 9-17/4 * * mon-fri', '2026-01-02T17:30:00Z', '2026-01-05T09:00:00.000Z'],
    ['30 4 1,15 * *', '2026-01-02T00:00:00Z', '2026-01-15T04:30:00.000Z'],
    ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00.000Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 12 ? JAN,Jul *', '2026-02-01T00:00:00Z', '2026-07-01T12:00:00.000Z'],
    ['@hourly', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00.000Z'],
    ['@every 90s', '2026-01-01T00:00:00Z', '2026-01-01T00:01:30.000Z'],
    ['TZ=Asia/Tokyo 0 9 * * *', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00.000Z'],
  ])('%s after %s is %s', (schedule, after, expected) => {
    expect(next(schedule, after)).toBe(expected);
  });

  it('has no next time where there is no such day', () => {
    expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
    expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z', 'Europe/Berlin')).toBeUndefined();
  });

  it('misses no day where it leaves out a month, whatever daylight saving does at its end', () => {
    expect(next('0 0 1 4 *', '2026-01-31T23:30:00Z', 'Europe/Berlin')).toBe('2026-03-31T22:00:00.000Z');
    expect(next('0 0 1 11 *', '2026-09-30T23:30:00Z', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z');
    expect(next('30 23 31 12 *', '2026-01-01T00:00:00Z', 'Australia/Lord_Howe')).toBe('2026-12-31T12:30:00.000Z');
  });

  it('follows the clock of a time zone, skipping an hour that daylight saving takes', () => {
    expect(next('30 9 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T07:30:00.000Z');
    expect(next('30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-30T00:30:00.000Z');
    expect(next('0 0 * * *', '2026-10-24T12:00:00Z', 'Europe/Berlin')).toBe('2026-10-24T22:00:00.000Z');
    expect(next('0 0 * * *', '2026-10-25T12:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T23:00:00.000Z');
  });

  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ])('refuses %s as cron does', (schedule, message) => {
    expect(() => parseSchedule(schedule)).toThrow(message);
  });
});

it('writes times of a zone with its offset', () => {
  const time = Date.parse('2026-01-01T12:00:05Z');
  expect(zonedText(time, '')).toBe('2026-01-01T12:00:05Z');
  expect(zonedText(time, 'America/New_York')).toBe('2026-01-01T07:00:05-05:00');
  expect(zonedText(time, 'Asia/Kolkata')).toBe('2026-01-01T17:30:05+05:30');
});
