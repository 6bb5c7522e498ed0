import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { sketchPod } from '../testing/pods.ts';
import { clockAt } from '../testing/scaled-time.ts';
import { completionIndex, isFinished, type Job, trackingFinalizer } from './job.ts';
import { type JobClient, JobSync } from './job-sync.ts';

const clock = clockAt('2026-01-01T01:00:00Z');

const jobOf = (spec: Partial<Job['spec']>): Job => ({
  metadata: { name: 'j', namespace: 'd', uid: 'j' },
  spec: { template: { spec: { containers: [{ name: 'c' }] } }, ...spec },
});

const endedPods = (count: number, phase: string): Pod[] =>
  Array.from({ length: count }, (_, index) =>
    sketchPod(`p${index}`, {
      phase,
      finalizers: [trackingFinalizer],
      annotations: { [completionIndex]: String(index) },
    }),
  );

/** A Job and its pods; `refuses` is called before a finalizer is removed. */
class Cluster implements JobClient {
  job: Job;
  readonly pods: Map<string, Pod>;
  readonly events: string[] = [];
  refuses: (pod: Pod) => boolean = () => false;

  constructor(job: Job, pods: readonly Pod[]) {
    this.job = job;
    this.pods = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  }

  async sync(): Promise<void> {
    await new JobSync(this.job, [...this.pods.values()], undefined, this, clock).run();
  }

  get tracked(): number {
    return [...this.pods.values()].filter(({ metadata }) => metadata.finalizers?.length).length;
  }

  async createPod(): Promise<void> {
    throw new Error('no pod is missing');
  }

  async deletePod({ metadata }: Pod): Promise<void> {
    this.pods.delete(metadata.name);
  }

  async removeFinalizer(pod: Pod): Promise<void> {
    if (this.refuses(pod)) throw new Error(`refused ${pod.metadata.name}`);
    this.pods.set(pod.metadata.name, { ...pod, metadata: { ...pod.metadata, finalizers: [] } });
  }

  async updateStatus(job: Job): Promise<Job> {
    const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
    expect(succeeded.length + failed.length).toBeLessThanOrEqual(500);
    this.job = job;
    return job;
  }

  event(_type: string, reason: string): void {
    this.events.push(reason);
  }

  isIgnored(): boolean {
    return false;
  }
}

describe('more pods end than a status lists', () => {
  it('the Job goes on until each of them is counted', async () => {
    const cluster = new Cluster(jobOf({ completions: 1200, parallelism: 1200 }), endedPods(1200, 'Succeeded'));
    await cluster.sync();
    expect(isFinished(cluster.job)).toBe(false);
    expect(cluster.job.status).toMatchObject({ succeeded: 500, uncountedTerminatedPods: {} });
    expect(cluster.tracked).toBe(700);
    await cluster.sync();
    expect(isFinished(cluster.job)).toBe(false);
    await cluster.sync();
    expect(isFinished(cluster.job)).toBe(true);
    expect(cluster.job.status?.succeeded).toBe(1200);
    expect(cluster.tracked).toBe(0);
    expect(cluster.events).toEqual(['Completed']);
  });

  it('a Job that fails counts all of them, too', async () => {
    const cluster = new Cluster(jobOf({ completions: 600, backoffLimit: 3 }), endedPods(600, 'Failed'));
    await cluster.sync();
    expect(isFinished(cluster.job)).toBe(false);
    await cluster.sync();
    expect(isFinished(cluster.job)).toBe(true);
    expect(cluster.job.status?.failed).toBe(600);
    expect(cluster.job.status?.conditions?.map(({ type }) => type)).toEqual(['FailureTarget', 'Failed']);
  });

  it('an Indexed Job releases all of them before it is finished', async () => {
    const spec = { completions: 600, completionMode: 'Indexed' };
    const cluster = new Cluster(jobOf(spec), endedPods(600, 'Succeeded'));
    await cluster.sync();
    expect(isFinished(cluster.job)).toBe(false);
    expect(cluster.job.status).toMatchObject({ succeeded: 600, completedIndexes: '0-599' });
    expect(cluster.tracked).toBe(100);
    await cluster.sync();
    expect(isFinished(cluster.job)).toBe(true);
    expect(cluster.tracked).toBe(0);
  });

  it('a pod that could not be released is counted once, when it can', async () => {
    const cluster = new Cluster(jobOf({ completions: 600 }), endedPods(600, 'Succeeded'));
    cluster.refuses = ({ metadata }) => Number(metadata.name.slice(1)) % 2 === 0;
    await expect(cluster.sync()).rejects.toThrow('refused');
    expect(cluster.job.status?.succeeded).toBe(250);
    expect(cluster.job.status?.uncountedTerminatedPods?.succeeded).toHaveLength(250);
    cluster.refuses = () => false;
    while (!isFinished(cluster.job)) await cluster.sync();
    expect(cluster.job.status?.succeeded).toBe(600);
    expect(cluster.tracked).toBe(0);
  });
});

it('a Job is not finished as long as a pod of it could not be released', async () => {
  const cluster = new Cluster(jobOf({ completions: 2, parallelism: 2 }), endedPods(2, 'Succeeded'));
  cluster.refuses = ({ metadata }) => metadata.name === 'p1';
  await expect(cluster.sync()).rejects.toThrow('refused p1');
  expect(isFinished(cluster.job)).toBe(false);
  expect(cluster.job.status).not.toHaveProperty('completionTime');
  expect(cluster.job.status).toMatchObject({ succeeded: 1, uncountedTerminatedPods: { succeeded: ['uid-p1'] } });
  expect(cluster.events).toEqual([]);
  cluster.refuses = () => false;
  await cluster.sync();
  expect(isFinished(cluster.job)).toBe(true);
  expect(cluster.job.status).toMatchObject({ succeeded: 2, uncountedTerminatedPods: {} });
  expect(cluster.events).toEqual(['Completed']);
});
