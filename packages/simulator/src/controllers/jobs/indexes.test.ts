import { expect, it } from 'vitest';
import { IndexSet, parseIndexes } from './indexes.ts';
import type { Job } from './job.ts';
import { jobProgress, pendingIndexes } from './job-progress.ts';
import { countedStatus } from './job-tracking.ts';
import { metSuccessRule } from './success-policy.ts';

const indexes = (...of: readonly number[]): IndexSet => new IndexSet().with(of);
const listed = (set: IndexSet): number[] =>
  Array.from({ length: 12 }, (_, index) => index).filter((one) => set.has(one));

it('reads and writes indexes as a status has them', () => {
  expect(String(indexes())).toBe('');
  expect(String(indexes(7, 1, 4, 5, 3))).toBe('1,3-5,7');
  expect(String(indexes(0, 1, 9))).toBe('0,1,9');
  expect(listed(parseIndexes('1,3-5,7', 5))).toEqual([1, 3, 4]);
  expect(listed(parseIndexes('9-3,3-6,2-4', 20))).toEqual([2, 3, 4, 5, 6]);
  expect(parseIndexes(undefined, 5).size + parseIndexes('x,-', 5).size).toBe(0);
});

it('knows how many indexes two sets share, and which are missing', () => {
  const set = parseIndexes('0-2,5,8-9', 12);
  expect(set.size).toBe(6);
  expect(set.common(parseIndexes('2-8', 12))).toBe(3);
  expect(set.common(indexes())).toBe(0);
  expect(String(set.union(parseIndexes('3,4', 12)))).toBe('0-5,8,9');
  expect(set.firstMissing(3, 12)).toEqual([3, 4, 6]);
  expect(set.firstMissing(9, 12)).toEqual([3, 4, 6, 7, 10, 11]);
  expect(set.firstMissing(9, 7)).toEqual([3, 4, 6]);
});

it('a range costs the same however long it is', () => {
  const all = 2 ** 31 - 1;
  const job: Job = {
    metadata: { name: 'j', namespace: 'd', uid: 'j' },
    spec: {
      completions: all,
      parallelism: 100_000,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 1,
      successPolicy: { rules: [{ succeededIndexes: `0-${all - 1}` }] },
      template: { spec: { containers: [{ name: 'c' }] } },
    },
    status: { completedIndexes: '0-999999999', failedIndexes: '1000000000-1999999999' },
  };
  const began = performance.now();
  const progress = jobProgress(job, [], undefined);
  expect(progress.succeeded).toBe(1_000_000_000);
  expect(pendingIndexes(job, progress, [], 2)).toEqual([2_000_000_000, 2_000_000_001]);
  expect(metSuccessRule(job.spec, progress.succeededIndexes)).toBeUndefined();
  expect(countedStatus(job, job.status!, [], progress, undefined).status).toMatchObject({
    succeeded: 1_000_000_000,
    completedIndexes: '0-999999999',
    failedIndexes: '1000000000-1999999999',
  });
  expect(performance.now() - began).toBeLessThan(1000);
});

it('knows when a success policy is met', () => {
  const spec = (rules: { succeededIndexes?: string; succeededCount?: number }[]) => ({
    completions: 10,
    successPolicy: { rules },
    template: { spec: { containers: [] } },
  });
  const met = indexes(0, 2, 3);
  expect(metSuccessRule(spec([{ succeededIndexes: '0,2-3' }]), met)).toBe('Matched rules at index 0');
  expect(metSuccessRule(spec([{ succeededIndexes: '1' }, { succeededCount: 3 }]), met)).toBe(
    'Matched rules at index 1',
  );
  expect(metSuccessRule(spec([{ succeededIndexes: '0-9', succeededCount: 3 }]), met)).toBe('Matched rules at index 0');
  expect(metSuccessRule(spec([{ succeededIndexes: '0-9', succeededCount: 4 }]), met)).toBeUndefined();
  expect(metSuccessRule(spec([{ succeededCount: 1 }]), indexes())).toBeUndefined();
});
