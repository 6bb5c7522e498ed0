import { timeText } from '@fleet/kube/time-text.ts';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { readyStatus, startTestCluster, type TestCluster, type TestClusterOptions } from '../testing/cluster.ts';
import type { Job, JobSpec } from './job.ts';

const path = '/apis/batch/v1/namespaces/default/jobs';

const task = (spec: Partial<JobSpec> = {}): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'task', namespace: 'default' },
  spec: {
    parallelism: 1,
    completions: 1,
    completionMode: 'NonIndexed',
    backoffLimit: 6,
    suspend: false,
    manualSelector: true,
    podReplacementPolicy: 'TerminatingOrFailed',
    selector: { matchLabels: { job: 'task' } },
    template: {
      metadata: { labels: { job: 'task' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'task', image: 'task' }] },
    },
    ...spec,
  },
});

const ended = (phase: string, exitCode: number) => (): object => {
  const finishedAt = timeText(Date.now());
  return { phase, containerStatuses: [{ name: 'task', state: { terminated: { exitCode, finishedAt } } }] };
};

async function run(
  spec: Partial<JobSpec>,
  options: TestClusterOptions,
): Promise<TestCluster & { get(): Promise<Job> }> {
  const cluster = await startTestCluster(options);
  await cluster.client.create(path, task(spec));
  return { ...cluster, get: () => cluster.client.get<Job>(`${path}/task`) };
}

const types = ({ status }: Job): string[] => (status?.conditions ?? []).map(({ type, status: is }) => `${type} ${is}`);

describe('Jobs', () => {
  it('may have the longest deadline that there is', async () => {
    const cluster = await run({ activeDeadlineSeconds: 2 ** 63 }, { statusOf: ended('Succeeded', 0) });
    await cluster.eventually(async () => expect(types(await cluster.get())).toContain('Complete True'));
    expect(cluster.errors).toEqual([]);
  });

  it('run to completion, and count each pod exactly once', async () => {
    const cluster = await run({ parallelism: 2, completions: 5 }, { statusOf: ended('Succeeded', 0) });
    await cluster.eventually(async () => expect(types(await cluster.get())).toContain('Complete True'));
    const { status } = await cluster.get();
    expect(status).toMatchObject({
      succeeded: 5,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
      startTime: expect.any(String),
      completionTime: expect.any(String),
      conditions: [
        {
          type: 'SuccessCriteriaMet',
          reason: 'CompletionsReached',
          message: 'Reached expected number of succeeded pods',
        },
        { type: 'Complete', reason: 'CompletionsReached' },
      ],
    });
    expect(status).not.toHaveProperty('active');
    const pods = await cluster.list<Pod>('/api/v1/pods');
    expect(pods).toHaveLength(5);
    for (const pod of pods) expect(pod.metadata.finalizers ?? []).toEqual([]);
    await cluster.eventually(async () =>
      expect((await cluster.events('task')).at(-1)).toBe('Normal Completed Job completed'),
    );
    expect(cluster.errors).toEqual([]);
  });

  it('of Indexed mode give each pod its index, by annotation, label, host name and variable', async () => {
    const spec = { parallelism: 3, completions: 3, completionMode: 'Indexed' };
    const cluster = await run(spec, { statusOf: ended('Succeeded', 0) });
    await cluster.eventually(async () => expect(types(await cluster.get())).toContain('Complete True'));
    expect((await cluster.get()).status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    const pods = await cluster.list<Pod>('/api/v1/pods');
    const first = pods.find(({ metadata }) => metadata.generateName === 'task-0-')!;
    expect(first).toMatchObject({
      metadata: {
        annotations: { 'batch.kubernetes.io/job-completion-index': '0' },
        labels: { 'batch.kubernetes.io/job-completion-index': '0' },
      },
      spec: { hostname: 'task-0' },
    });
    expect(first.spec.containers[0]!.env).toMatchObject([
      {
        name: 'JOB_COMPLETION_INDEX',
        valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" } },
      },
    ]);
  });

  it('fail when the back-off limit is exceeded, after waiting longer each time', async () => {
    const cluster = await run({ backoffLimit: 2 }, { statusOf: ended('Failed', 1), factor: 1000 });
    await cluster.eventually(async () => expect(types(await cluster.get())).toContain('Failed True'));
    const { status } = await cluster.get();
    expect(status).toMatchObject({
      failed: 3,
      conditions: [
        { type: 'FailureTarget', reason: 'BackoffLimitExceeded' },
        { type: 'Failed', message: 'Job has reached the specified backoff limit' },
      ],
    });
    await cluster.eventually(async () =>
      expect((await cluster.events('task')).at(-1)).toBe(
        'Warning BackoffLimitExceeded Job has reached the specified backoff limit',
      ),
    );
  });

  it('fail at their deadline, and delete the pods that still run', async () => {
    const cluster = await run({ activeDeadlineSeconds: 200 }, { statusOf: () => readyStatus(), factor: 100 });
    await cluster.eventually(async () => expect(types(await cluster.get())).toContain('Failed True'));
    expect((await cluster.get()).status).toMatchObject({
      failed: 1,
      conditions: [{ reason: 'DeadlineExceeded' }, { message: 'Job was active longer than specified deadline' }],
    });
    await cluster.eventually(async () => expect(await cluster.list('/api/v1/pods')).toEqual([]));
  });

  it('have no pods while they are suspended, and start anew when they are resumed', async () => {
    const cluster = await run({ parallelism: 2, completions: 2 }, { statusOf: () => readyStatus() });
    await cluster.eventually(async () => expect((await cluster.get()).status?.ready).toBe(2));
    await cluster.client.patch(`${path}/task`, 'merge', { spec: { suspend: true } });
    await cluster.eventually(async () => {
      const job = await cluster.get();
      expect(types(job)).toEqual(['Suspended True']);
      expect(job.status).not.toHaveProperty('startTime');
      expect(job.status).not.toHaveProperty('failed');
      expect(await cluster.list('/api/v1/pods')).toEqual([]);
    });
    await cluster.client.patch(`${path}/task`, 'merge', { spec: { suspend: false } });
    await cluster.eventually(async () => {
      const job = await cluster.get();
      expect(types(job)).toEqual(['Suspended False']);
      expect(job.status).toMatchObject({ active: 2, ready: 2, startTime: expect.any(String) });
    });
    const events = (await cluster.events('task')).filter((event) => !/pod:/.test(event));
    expect(events).toEqual(['Normal Suspended Job suspended', 'Normal Resumed Job resumed']);
  });

  it('are deleted when their time to live is over, and their pods with them', async () => {
    const cluster = await run({ ttlSecondsAfterFinished: 30 }, { statusOf: ended('Succeeded', 0), factor: 100 });
    await cluster.eventually(async () => expect(await cluster.list(path)).toEqual([]));
    await cluster.eventually(async () => expect(await cluster.list('/api/v1/pods')).toEqual([]));
  });

  it('that are deleted release pods that still run', async () => {
    const cluster = await run({}, { statusOf: () => readyStatus() });
    await cluster.eventually(async () => expect((await cluster.get()).status?.ready).toBe(1));
    await cluster.client.delete(`${path}/task`, { propagationPolicy: 'Background' });
    await cluster.eventually(async () => expect(await cluster.list('/api/v1/pods')).toEqual([]));
  });

  it('fail at once if the pod failure policy requires it', async () => {
    const podFailurePolicy = {
      rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }],
    };
    const cluster = await run({ podFailurePolicy, podReplacementPolicy: 'Failed' }, { statusOf: ended('Failed', 42) });
    await cluster.eventually(async () => expect(types(await cluster.get())).toContain('Failed True'));
    const { status } = await cluster.get();
    expect(status?.conditions?.[0]).toMatchObject({
      type: 'FailureTarget',
      reason: 'PodFailurePolicy',
      message: expect.stringMatching(
        /^Container task for pod default\/task-\w+ failed with exit code 42 matching FailJob rule at index 0$/,
      ),
    });
  });

  it('with a back-off limit per index continue with the other indexes', async () => {
    const spec = {
      parallelism: 2,
      completions: 2,
      completionMode: 'Indexed',
      backoffLimit: 2_147_483_647,
      backoffLimitPerIndex: 1,
    };
    const cluster = await run(spec, {
      factor: 1000,
      statusOf: ({ metadata }) =>
        metadata.generateName === 'task-0-' ? ended('Failed', 1)() : ended('Succeeded', 0)(),
    });
    await cluster.eventually(async () => expect(types(await cluster.get())).toContain('Failed True'));
    expect((await cluster.get()).status).toMatchObject({
      failed: 2,
      succeeded: 1,
      completedIndexes: '1',
      failedIndexes: '0',
      conditions: [{ reason: 'FailedIndexes' }, { message: 'Job has failed indexes' }],
    });
  });
});
