import { timeText } from '@fleet/kube/time-text.ts';
import { describe, expect, it } from 'vitest';
import type { Job } from '../jobs/job.ts';
import { readyStatus, startTestCluster, type TestCluster, type TestClusterOptions } from '../testing/cluster.ts';
import { type CronJob, dueTime } from './cron-job.ts';
import { cronRun } from './cron-run.ts';
import { parseSchedule } from './schedule.ts';

const path = '/apis/batch/v1/namespaces/default/cronjobs';
const minute = 60_000;

const tick = (spec: Partial<CronJob['spec']> = {}): CronJob => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'tick', namespace: 'default' },
  spec: {
    schedule: '* * * * *',
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: {
      metadata: { labels: { app: 'tick' } },
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'tick', image: 'tick' }] } },
      },
    },
    ...spec,
  },
});

const secondsAgo = (seconds: number): string => timeText(Date.now() - seconds * 1000);

async function run(spec: Partial<CronJob['spec']>, options: TestClusterOptions): Promise<TestCluster> {
  const cluster = await startTestCluster(options);
  await cluster.client.create(path, tick(spec));
  return cluster;
}

/** A run is due immediately. */
const miss = ({ client }: TestCluster): Promise<unknown> =>
  client.patch(`${path}/tick/status`, 'merge', { status: { lastScheduleTime: secondsAgo(150) } });

const jobsOf = ({ list }: TestCluster): Promise<Job[]> => list<Job>('/apis/batch/v1/jobs');

describe('CronJobs', () => {
  it('start the latest run that was missed, and follow it to its end', async () => {
    const cluster = await run({}, { statusOf: () => ({ phase: 'Succeeded' }) });
    await miss(cluster);
    await cluster.eventually(async () => {
      const { status } = await cluster.client.get<CronJob>(`${path}/tick`);
      expect(status?.lastSuccessfulTime).toBeDefined();
      expect(status?.active ?? []).toEqual([]);
    });
    const [job] = await jobsOf(cluster);
    const scheduled = Date.parse(job!.metadata.annotations!['batch.kubernetes.io/cronjob-scheduled-timestamp']!);
    expect(scheduled % minute).toBe(0);
    expect(Date.now() - scheduled).toBeLessThan(2 * minute);
    expect(job!.metadata).toMatchObject({ name: `tick-${scheduled / minute}`, labels: { app: 'tick' } });
    const name = job!.metadata.name;
    await cluster.eventually(async () =>
      expect(await cluster.events('tick')).toEqual([
        `Normal SuccessfulCreate Created job ${name}`,
        `Normal SawCompletedJob Saw completed job: ${name}, condition: Complete`,
      ]),
    );
    expect(cluster.errors).toEqual([]);
  });

  it('do nothing while they are suspended, and keep no more Jobs than the limit', async () => {
    const cluster = await run(
      { suspend: true, successfulJobsHistoryLimit: 0 },
      { statusOf: () => ({ phase: 'Succeeded' }) },
    );
    await miss(cluster);
    await cluster.client.patch(`${path}/tick`, 'merge', { spec: { suspend: false } });
    await cluster.eventually(async () => {
      expect(await cluster.events('tick')).toContainEqual(
        expect.stringMatching(/^Normal SuccessfulDelete Deleted job tick-\d+$/),
      );
      expect(await jobsOf(cluster)).toEqual([]);
    });
  });

  it('forbid: no further run while one is active', async () => {
    const cluster = await run({ concurrencyPolicy: 'Forbid' }, { statusOf: () => readyStatus() });
    await miss(cluster);
    await cluster.eventually(async () => {
      const { status } = await cluster.client.get<CronJob>(`${path}/tick`);
      expect(status?.active).toHaveLength(1);
      expect(status?.active?.[0]).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job', name: expect.any(String) });
    });
    expect(await jobsOf(cluster)).toHaveLength(1);
  });
});

describe('cronRun', () => {
  const now = Date.parse('2026-01-01T12:00:30Z');
  const at = (last: string, spec: Partial<CronJob['spec']> = {}, active: string[] = []): CronJob => ({
    ...tick(spec),
    status: {
      lastScheduleTime: last,
      active: active.map((name) => ({ apiVersion: 'batch/v1', kind: 'Job', name, uid: name })),
    },
  });
  const runAt = (cronJob: CronJob) => {
    const events: string[] = [];
    return { ...cronRun(cronJob, now, (...event) => events.push(event.join(' '))), events };
  };

  it('waits for the next time where nothing was missed', () => {
    expect(runAt(at('2026-01-01T12:00:00Z'))).toEqual({ next: 30_100, events: [] });
  });

  it('starts the latest time only', () => {
    expect(runAt(at('2026-01-01T11:40:00Z'))).toEqual({ start: Date.parse('2026-01-01T12:00:00Z'), events: [] });
  });

  it('warns when more than a hundred were missed', () => {
    const { start, events } = runAt(at('2026-01-01T01:00:00Z'));
    expect(start).toBe(Date.parse('2026-01-01T12:00:00Z'));
    expect(events).toEqual([
      'Warning TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    ]);
  });

  it('starts nothing after the starting deadline', () => {
    const hourly = { schedule: '0 * * * *', startingDeadlineSeconds: 10 };
    expect(runAt(at('2026-01-01T11:00:00Z', hourly))).toEqual({ next: 3_570_100, events: [] });
  });

  it('reports why Forbid starts nothing', () => {
    const { start, events } = runAt(at('2026-01-01T11:59:00Z', { concurrencyPolicy: 'Forbid' }, ['other']));
    expect(start).toBeUndefined();
    expect(events).toEqual([
      'Normal JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid',
    ]);
  });

  it('reports schedules and time zones that it cannot read', () => {
    expect(runAt(at('2026-01-01T11:00:00Z', { schedule: 'x' })).events).toEqual([
      'Warning UnparseableSchedule unparseable schedule: "x" : expected exactly 5 fields, found 1: [x]',
    ]);
    expect(runAt(at('2026-01-01T11:00:00Z', { timeZone: 'Mars/Olympus' })).events).toEqual([
      'Warning UnknownTimeZone invalid timeZone: "Mars/Olympus": unknown time zone Mars/Olympus',
    ]);
  });

  it('finds the latest of many missed times without counting them all', () => {
    const cronJob = at('2016-01-01T00:00:00Z');
    expect(dueTime(cronJob, parseSchedule('* * * * *'), now, true)).toMatchObject({
      time: Date.parse('2026-01-01T12:00:00Z'),
      missed: 'many',
    });
  });

  it('finds the latest of an irregular schedule without counting them all', () => {
    const { next } = parseSchedule('* * * 1 *');
    let calls = 0;
    const counted = {
      next(after: number) {
        calls += 1;
        return next(after);
      },
    };
    const now = Date.parse('2026-11-17T12:00:00Z');
    expect(dueTime(at('1970-01-31T23:58:00Z'), counted, now, true).time).toBe(Date.parse('2026-01-31T23:59:00Z'));
    expect(calls).toBeLessThan(200);
  });
});
