import { expect, it } from 'vitest';
import { scheduleFault } from './schedule.ts';
import { isTimeZone } from './time-zone.ts';

it.each([
  '* * * * *',
  '*/5 1-3 1,15 JAN-mar mon',
  '0 0 ? * 0/2',
  '@daily',
  '@every 1h30m',
  'TZ=Europe/Berlin 0 0 * * *',
])('WORKLOAD-7: %s is a schedule', (schedule) => expect(scheduleFault(schedule)).toBeUndefined());

it.each([
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['@often', 'unrecognized descriptor: @often'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
  ['TZ=Nowhere * * * * *', 'provided bad location Nowhere: unknown time zone Nowhere'],
  ['TZ=0', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
])('WORKLOAD-7: %s is none', (schedule, fault) => expect(scheduleFault(schedule)).toBe(fault));

it('WORKLOAD-7: a time zone has one spelling', () => {
  expect(['Europe/Berlin', 'UTC', 'US/Eastern', 'Etc/GMT+1'].map(isTimeZone)).toEqual([true, true, true, true]);
  expect(['europe/berlin', 'Nowhere/Else', '+0100'].map(isTimeZone)).toEqual([false, false, false]);
});
