import { expect, it } from 'vitest';
import { scheduledCondition, scheduleEvent } from './outcome.ts';
import type { ScheduleResult } from './schedule.ts';

const message = '0/1 clusters are available: no cluster exists.';

it.each<[ScheduleResult, object, object]>([
  [
    { is: 'scheduled', clusters: [{ name: 'm1', replicas: 2 }, { name: 'm2' }] },
    { type: 'Scheduled', status: 'True', reason: 'Success', message: 'Binding has been scheduled successfully.' },
    {
      type: 'Normal',
      reason: 'ScheduleBindingSucceed',
      message: 'Binding has been scheduled successfully. Result: {m1:2, m2:0}',
    },
  ],
  [
    { is: 'noFit', message },
    { type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message },
    { type: 'Warning', reason: 'ScheduleBindingFailed', message },
  ],
  [
    { is: 'unschedulable', reason: 'SchedulerError', message: 'why' },
    { type: 'Scheduled', status: 'False', reason: 'SchedulerError', message: 'why' },
    { type: 'Warning', reason: 'ScheduleBindingFailed', message: 'why' },
  ],
  [
    { is: 'unschedulable', reason: 'Unschedulable', message: 'why' },
    { type: 'Scheduled', status: 'False', reason: 'Unschedulable', message: 'why' },
    { type: 'Warning', reason: 'ScheduleBindingFailed', message: 'why' },
  ],
])('FED-16: condition and event of %j', (result, condition, event) => {
  expect(scheduledCondition(result)).toEqual(condition);
  expect(scheduleEvent(result)).toEqual(event);
});
