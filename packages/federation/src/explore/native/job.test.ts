import { describe, expect, test } from 'vitest';
import { cronJobRules, jobRules } from './job.ts';
import { objectOf, reports } from './testing.ts';

const job = (spec: object, fields: object = {}) => objectOf('batch/v1', 'Job', { spec, ...fields });

describe('replicas', () => {
  test.each([
    [{ parallelism: 3, completions: 2 }, 2],
    [{ parallelism: 3, completions: 5 }, 3],
    [{ parallelism: 3 }, 3],
    [{ completions: 5 }, 1],
    [{}, 1],
    [{ parallelism: 0, completions: 5 }, 0],
  ])('FED-5: a Job with %o has %i', (spec, expected) => {
    expect(jobRules.replicas!(job(spec))).toEqual({ replicas: expected });
  });

  test('FED-12: with what one replica needs', () => {
    const template = { spec: { priorityClassName: 'high', nodeSelector: { a: 'b' } } };
    expect(jobRules.replicas!(job({ template })).requirements).toEqual({
      nodeClaim: { nodeSelector: { a: 'b' } },
      namespace: 'default',
      priorityClassName: 'high',
    });
  });

  test('FED-12: parallelism is revised, completions by their share', () => {
    const { revise, divided } = jobRules;
    expect(revise!(job({ parallelism: 1, completions: 6 }), 3)['spec']).toEqual({ parallelism: 3, completions: 6 });
    expect(divided!.total(job({ completions: 6 }))).toBe(6);
    expect(divided!.total(job({ parallelism: 6 }))).toBeUndefined();
    expect(divided!.revise(job({ parallelism: 1, completions: 6 }), 2)['spec']).toEqual({
      parallelism: 1,
      completions: 2,
    });
  });
});

describe('FED-18: pruning', () => {
  const generated = {
    'controller-uid': 'x',
    'batch.kubernetes.io/controller-uid': 'x',
    'job-name': 'nginx',
    'batch.kubernetes.io/job-name': 'nginx',
    foo: 'bar',
  };
  const { 'job-name': _name, 'batch.kubernetes.io/job-name': _longName, ...selected } = generated;
  const spec = {
    ttlSecondsAfterFinished: 10,
    selector: { matchLabels: selected },
    template: { metadata: { labels: generated }, spec: { restartPolicy: 'Never' } },
  };

  test.each([[{}], [{ manualSelector: false }]])('the TTL and what is generated are left out: %o', (more) => {
    expect(jobRules.pack!(job({ ...spec, ...more }))['spec']).toEqual({
      ...more,
      selector: { matchLabels: { foo: 'bar' } },
      template: { metadata: { labels: { foo: 'bar' } }, spec: { restartPolicy: 'Never' } },
    });
  });

  test('with manualSelector labels and selector are the user’s', () => {
    const { ttlSecondsAfterFinished: _ttl, ...others } = spec;
    expect(jobRules.pack!(job({ ...spec, manualSelector: true }))['spec']).toEqual({ ...others, manualSelector: true });
  });
});

describe('FED-12: retaining', () => {
  const labelled = (labels: object) => ({ template: { metadata: { labels } } });
  const selected = (matchLabels: object) => ({ selector: { matchLabels } });
  const [mine, theirs] = [{ app: 'nginx_v1' }, { name: 'nginx' }];

  test.each([
    ['both', { ...selected(mine), ...labelled(mine) }, { ...selected(theirs), ...labelled(theirs) }],
    ['labels', labelled(mine), labelled(theirs)],
    ['selector', selected(mine), selected(theirs)],
    ['what is not desired', {}, { ...selected(theirs), ...labelled(theirs) }],
  ])('%s of the member', (_case, desired, observed) => {
    expect(jobRules.retain!(job({ ...desired, parallelism: 2 }), job(observed))['spec']).toEqual({
      ...observed,
      parallelism: 2,
    });
  });

  test('what the member has not is kept', () => {
    const desired = job({ ...selected(mine), ...labelled(mine) });
    expect(jobRules.retain!(desired, job({}))).toBe(desired);
  });
});

test('FED-12: status in the Work', () => {
  const status = {
    active: 2,
    succeeded: 1,
    conditions: [{ type: 'Complete', status: 'True' }],
    startTime: '2026-01-01T00:00:00Z',
    completionTime: '2026-01-01T00:01:00Z',
  };
  expect(jobRules.reflect!(job({}, { status: { ...status, failed: 0, ready: 1, terminating: 0 } }))).toEqual(status);
  expect(jobRules.reflect!(job({}, { status: { active: 1, conditions: [] } }))).toEqual({ active: 1 });
  expect(jobRules.reflect!(job({}, { status: {} }))).toEqual({});
  expect(jobRules.reflect!(job({}))).toBeUndefined();
});

describe('CronJobs', () => {
  const cronJob = (fields: object = {}) => objectOf('batch/v1', 'CronJob', fields);
  const active = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'foo', namespace: 'default' }];

  test('FED-12: the active Jobs of all, and the latest times', () => {
    const items = reports(
      { active, lastScheduleTime: '2023-02-08T07:16:00Z', lastSuccessfulTime: null },
      { active, lastScheduleTime: '2023-02-08T07:17:00Z', lastSuccessfulTime: '2023-02-08T07:17:00Z' },
      { lastScheduleTime: '2023-02-08T07:15:00Z', lastSuccessfulTime: '2023-02-08T07:15:00Z' },
      undefined,
    );
    const status = {
      active: [...active, ...active],
      lastScheduleTime: '2023-02-08T07:17:00Z',
      lastSuccessfulTime: '2023-02-08T07:17:00Z',
    };
    expect(cronJobRules.aggregate!(cronJob(), items)['status']).toEqual(status);
    const template = cronJob({ status });
    expect(cronJobRules.aggregate!(template, items)).toBe(template);
  });

  test('FED-11: dependencies are those of its pods', () => {
    const template = { spec: { imagePullSecrets: [{ name: 'pull' }] } };
    expect(cronJobRules.dependencies!(cronJob({ spec: { jobTemplate: { spec: { template } } } }))).toEqual([
      { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'pull' },
    ]);
  });
});
