import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/objects.ts';
import { aggregateJob } from './job-status.ts';
import { objectOf, reports } from './testing.ts';

const [first, second, third] = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z', '2026-01-01T00:00:03Z'];

const job = (status?: object) => objectOf('batch/v1', 'Job', { spec: {}, ...(status && { status }) });

const condition = (type: string, time?: string): JsonObject => ({
  type,
  status: 'True',
  ...(time && { lastTransitionTime: time }),
});

const running = (startTime: string): JsonObject => ({ active: 1, startTime });

const complete = (startTime: string, time: string): JsonObject => ({
  succeeded: 1,
  startTime,
  completionTime: time,
  conditions: [condition('SuccessCriteriaMet', time), condition('Complete', time)],
});

const failed = (startTime: string, time?: string): JsonObject => ({
  failed: 1,
  startTime,
  conditions: [condition('Failed', time)],
});

const statusOf = (template: ReturnType<typeof job>, ...statuses: (JsonObject | undefined)[]) =>
  aggregateJob(template, reports(...statuses))['status'];

describe('FED-12: status of a Job', () => {
  test('all Complete = Complete, with the first start and the last completion', () => {
    const times = { lastProbeTime: third, lastTransitionTime: third };
    expect(statusOf(job(), complete(second, third), complete(first, second))).toEqual({
      succeeded: 2,
      startTime: first,
      completionTime: third,
      conditions: [
        { type: 'Complete', status: 'True', ...times, reason: 'Completed', message: 'Job completed' },
        {
          type: 'SuccessCriteriaMet',
          status: 'True',
          ...times,
          reason: 'CompletionsReached',
          message: 'All member clusters have met success criteria',
        },
      ],
    });
  });

  test('any Failed = Failed, with the names of the clusters', () => {
    const times = { lastProbeTime: second, lastTransitionTime: second };
    const details = {
      status: 'True',
      ...times,
      reason: 'JobFailed',
      message: 'Job executed failed in member clusters member2',
    };
    expect(statusOf(job(), complete(first, third), failed(second, second))).toEqual({
      succeeded: 1,
      failed: 1,
      startTime: first,
      conditions: [
        { type: 'FailureTarget', ...details },
        { type: 'Failed', ...details },
      ],
    });
    expect(statusOf(job(), failed(first), failed(first))).toMatchObject({
      conditions: [{}, { message: 'Job executed failed in member clusters member1,member2' }],
    });
  });

  test('one that has failed while pods run in another cluster is Failed when they have ended', () => {
    const template = aggregateJob(job(), reports(failed(first, second), running(first)));
    expect(template['status']).toMatchObject({ active: 1, failed: 1, conditions: [{ type: 'FailureTarget' }] });
    // Also where the cluster that failed is gone.
    const ended = aggregateJob(template, reports(complete(first, third)));
    expect(ended['status']).toMatchObject({ conditions: [{ type: 'FailureTarget' }, { type: 'Failed' }] });
  });

  test.each([
    ['one still runs', [complete(first, second), running(first)]],
    ['one has not reported', [complete(first, second), undefined]],
    ['none is there', []],
    ['the condition is False', [{ conditions: [{ type: 'Complete', status: 'False' }] }]],
  ])('not Complete where %s', (_case, statuses) => {
    const status = (statusOf(job(), ...statuses) ?? {}) as JsonObject;
    expect(status['conditions']).toBeUndefined();
    expect(status['completionTime']).toBeUndefined();
  });

  test.each(['Complete', 'Failed'])('one that is %s never changes', (type) => {
    const template = job({ succeeded: 1, conditions: [condition(type)] });
    expect(aggregateJob(template, reports(failed(first), running(first)))).toBe(template);
  });

  test('the start waits for every cluster, and does not change afterwards', () => {
    expect(statusOf(job(), running(second), {})).toEqual({ active: 1 });
    expect(statusOf(job(), running(second), running(first))).toEqual({ active: 2, startTime: first });
    expect(statusOf(job({ startTime: second }), running(first))).toEqual({ active: 1, startTime: second });
    expect(statusOf(job(), failed(second, third), {})).toMatchObject({ startTime: second });
  });

  test('counters of ended pods never go back', () => {
    const template = job({ succeeded: 3, failed: 2, active: 4, startTime: first });
    expect(aggregateJob(template, reports(running(first)))['status']).toEqual({
      succeeded: 3,
      failed: 2,
      active: 1,
      startTime: first,
    });
  });

  test('nothing new is the same object', () => {
    const template = job({ active: 2, startTime: first, ready: 0 });
    expect(aggregateJob(template, reports(running(first), running(second)))).toBe(template);
  });
});
