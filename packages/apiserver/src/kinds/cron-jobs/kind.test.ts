import { expect, it } from 'vitest';
import { createFaults, decoded } from '../../testing/kind-rules.ts';
import { cronJobs } from './kind.ts';

const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
const jobTemplate = { spec: { template: { spec: pod } } };
const spec = { schedule: '@daily', jobTemplate };

it('WORKLOAD-8: a CronJob has Kubernetes’ defaults, and its Jobs have none yet', () => {
  const made = decoded(cronJobs, { spec })['spec'] as { jobTemplate: { spec: object } };
  expect(made).toMatchObject({
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  expect(made.jobTemplate.spec).not.toHaveProperty('backoffLimit');
});

it.each([
  [{ schedule: '' }, 'spec.schedule: Required value'],
  [{ schedule: 'now' }, 'spec.schedule: Invalid value: "now": expected exactly 5 fields, found 1: [now]'],
  [{ timeZone: 'Mars/Base' }, 'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base'],
  [
    { concurrencyPolicy: 'Odd' },
    'spec.concurrencyPolicy: Unsupported value: "Odd": supported values: "Allow", "Forbid", "Replace"',
  ],
  [
    { schedule: 'TZ=UTC 0 0 * * *' },
    'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
  [
    { jobTemplate: { spec: { ...jobTemplate.spec, selector: { matchLabels: { a: 'b' } } } } },
    'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
  ],
])('WORKLOAD-8: %o is refused', async (change, fault) => {
  expect(await createFaults(cronJobs, { spec: { ...spec, ...change } })).toEqual([fault]);
});

it('WORKLOAD-8: its name leaves space for a time', async () => {
  expect(await createFaults(cronJobs, { metadata: { name: 'n'.repeat(53) }, spec })).toEqual([
    `metadata.name: Invalid value: "${'n'.repeat(53)}": must be no more than 52 characters`,
  ]);
});
