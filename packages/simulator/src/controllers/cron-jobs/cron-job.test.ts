import { expect, it } from 'vitest';
import { type CronJob, dueTime } from './cron-job.ts';
import { parseSchedule } from './schedule.ts';

const since = (lastScheduleTime: string): CronJob => ({
  metadata: { name: 'c', namespace: 'd' },
  spec: { schedule: '', jobTemplate: { spec: { template: { spec: { containers: [] } } } } },
  status: { lastScheduleTime },
});

it.each([
  // Hundreds of thousands of runs since the last pause.
  ['* * * 1-6 *', '2020-06-30T21:58:00Z', '2026-06-30T21:58:30Z', '2026-06-30T21:58:00.000Z'],
  ['* * * 1-6 *', '2020-06-30T21:58:00Z', '2026-07-15T00:00:00Z', '2026-06-30T21:59:00.000Z'],
  ['* 9-16 * 1-6 *', '2020-06-30T14:58:00Z', '2026-05-01T05:00:00Z', '2026-04-30T14:59:00.000Z'],
  ['0 0 29 2 *', '0001-01-01T00:00:00Z', '2026-06-30T00:00:00Z', '2024-02-28T23:00:00.000Z'],
  ['@every 7s', '2020-01-01T00:00:00Z', '2026-01-01T00:00:06Z', '2026-01-01T00:00:01.000Z'],
])('%s, last run at %s: at %s the run of %s is due, which is known at once', (schedule, last, now, expected) => {
  const began = performance.now();
  const { time } = dueTime(since(last), parseSchedule(schedule, 'Europe/Berlin'), Date.parse(now), false);
  expect(new Date(time!).toISOString()).toBe(expected);
  expect(performance.now() - began).toBeLessThan(1000);
});

it('finds the same run as one that tries them one by one', () => {
  const schedule = parseSchedule('*/7 3-5 * 2,3 *');
  for (let hour = 0; hour < 24; hour += 1) {
    const now = Date.parse('2026-03-09T00:03:00Z') + hour * 3_600_000;
    let expected: number | undefined;
    let next = schedule.next(now - 40 * 86_400_000);
    while (next !== undefined && next <= now) {
      expected = next;
      next = schedule.next(next);
    }
    expect(dueTime(since('2024-03-31T05:49:00Z'), schedule, now, false).time).toBe(expected);
  }
});
