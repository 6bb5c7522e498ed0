import { describe, expect, it } from 'vitest';
import { sketchPod, sketchStatus } from '../testing/pods.ts';
import { judgeFailure } from './failure-policy.ts';
import { completionIndex, type Job } from './job.ts';
import { newJobPod, podsToRemove } from './job-pods.ts';
import { desiredActive, jobProgress, pendingIndexes } from './job-progress.ts';
import { countedStatus, withoutReleased } from './job-tracking.ts';

const tracking = ['batch.kubernetes.io/job-tracking'];

const job = (spec: Partial<Job['spec']> = {}, status: Job['status'] = {}): Job => ({
  metadata: { name: 'j', namespace: 'd', uid: 'j' },
  spec: { parallelism: 2, completions: 3, template: { spec: { containers: [{ name: 'c' }] } }, ...spec },
  status,
});

const indexed = (name: string, index: number, phase = 'Running') =>
  sketchPod(name, { phase, node: 'n', finalizers: tracking, annotations: { [completionIndex]: String(index) } });

const ref = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true, blockOwnerDeletion: true };

describe('pods of a Job', () => {
  it('keep a finalizer until they are counted', () => {
    expect(newJobPod(job(), ref, undefined, undefined).metadata).toMatchObject({
      generateName: 'j-',
      finalizers: tracking,
    });
  });

  it('have their index, and count the failures at it', () => {
    const perIndex = job({ completionMode: 'Indexed', backoffLimitPerIndex: 3 });
    const before = sketchPod('p', { annotations: { 'batch.kubernetes.io/job-index-failure-count': '1' } });
    expect(newJobPod(perIndex, ref, 4, before)).toMatchObject({
      metadata: {
        generateName: 'j-4-',
        labels: { [completionIndex]: '4' },
        annotations: { [completionIndex]: '4', 'batch.kubernetes.io/job-index-failure-count': '2' },
      },
      spec: { hostname: 'j-4' },
    });
    const long = { ...perIndex, metadata: { ...perIndex.metadata, name: 'x'.repeat(60) } };
    expect(newJobPod(long, ref, 12, undefined).metadata.generateName).toBe(`${'x'.repeat(54)}-12-`);
  });

  it('are removed where they share an index or have none of the Job', () => {
    const pods = [indexed('a', 0), indexed('b', 0), indexed('c', 1), indexed('d', 7)];
    const removed = podsToRemove(job({ completionMode: 'Indexed' }), pods, 0, Date.now());
    expect(removed.map(({ metadata }) => metadata.name).sort()).toEqual([expect.stringMatching(/[ab]/), 'd']);
  });

  it('fill the lowest indexes that are free', () => {
    const one = job({ completionMode: 'Indexed', completions: 6, parallelism: 3 }, { completedIndexes: '0,2' });
    const progress = jobProgress(one, [indexed('a', 1)], undefined);
    expect(pendingIndexes(one, progress, [], 2)).toEqual([3, 4]);
    expect(desiredActive(one, progress, 1)).toBe(3);
    expect(progress.succeeded).toBe(2);
  });
});

it('counts each pod that ended once, and only when it is released', () => {
  const pods = [
    sketchPod('ok', { phase: 'Succeeded', finalizers: tracking }),
    sketchPod('known', { phase: 'Succeeded', finalizers: tracking }),
    sketchPod('bad', { phase: 'Failed', finalizers: tracking }),
    sketchPod('counted', { phase: 'Failed' }),
    sketchPod('runs', { finalizers: tracking }),
  ];
  const one = job({}, { succeeded: 1, uncountedTerminatedPods: { succeeded: ['uid-known'] } });
  const progress = jobProgress(one, pods, undefined);
  expect([progress.succeeded, progress.failed, progress.active.length]).toEqual([3, 1, 1]);
  const { status, released } = countedStatus(one, one.status!, pods, progress, undefined);
  expect(status.uncountedTerminatedPods).toEqual({ succeeded: ['uid-known', 'uid-ok'], failed: ['uid-bad'] });
  expect(released.map(({ metadata }) => metadata.name)).toEqual(['ok', 'known', 'bad']);
  expect(withoutReleased(status, new Set())).toEqual({ succeeded: 3, failed: 1, uncountedTerminatedPods: {} });
  expect(withoutReleased(status, new Set(['uid-ok']))).toEqual({
    succeeded: 2,
    failed: 1,
    uncountedTerminatedPods: { succeeded: ['uid-ok'] },
  });
});

it('judges failures by the first rule that matches', () => {
  const pod = sketchPod('p', { phase: 'Failed' });
  pod.status!.containerStatuses = [sketchStatus({ state: { terminated: { exitCode: 3 } } })];
  pod.status!.conditions = [{ type: 'DisruptionTarget', status: 'True' }];
  const disrupted = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] };
  const exit = (values: number[], action: string) => ({ action, onExitCodes: { operator: 'In', values } });
  expect(judgeFailure(undefined, pod)).toEqual({ isCounted: true });
  expect(judgeFailure({ rules: [exit([4], 'FailJob'), disrupted] }, pod)).toEqual({
    isCounted: false,
    action: 'Ignore',
  });
  expect(judgeFailure({ rules: [exit([3], 'Count'), disrupted] }, pod)).toEqual({ isCounted: true, action: 'Count' });
  expect(judgeFailure({ rules: [{ ...disrupted, action: 'FailJob' }] }, pod).message).toBe(
    'Pod d/p has condition DisruptionTarget matching FailJob rule at index 0',
  );
});
