import { expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { sketchPod, sketchStatus } from '../testing/pods.ts';
import { clockAt } from '../testing/scaled-time.ts';
import { finishedAt, nextBackoff, remainingMillis } from './backoff.ts';

const ended = (name: string, finished: string): Pod => {
  const pod = sketchPod(name);
  return {
    ...pod,
    status: { containerStatuses: [sketchStatus({ state: { terminated: { exitCode: 1, finishedAt: finished } } })] },
  };
};

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;

it('knows when a pod ended, from its containers or from the next best', () => {
  expect(finishedAt(ended('a', at(5)))).toBe(Date.parse(at(5)));
  const notReady = sketchPod('b');
  notReady.status = { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at(7) }] };
  expect(finishedAt(notReady)).toBe(Date.parse(at(7)));
  const deleted = sketchPod('c', { deleted: true });
  deleted.metadata.deletionTimestamp = at(40);
  deleted.metadata.deletionGracePeriodSeconds = 30;
  expect(finishedAt({ ...deleted, status: {} })).toBe(Date.parse(at(10)));
});

it('doubles with each failure in a row, up to ten minutes, and begins anew after a success', () => {
  const clock = clockAt(at(0));
  const last = Date.parse(at(0));
  const waits = [1, 2, 3, 6, 7, 20].map((failures) => remainingMillis({ failures, last }, clock) / 1000);
  expect(waits).toEqual([10, 20, 40, 320, 600, 600]);
  const first = nextBackoff(undefined, [], [ended('a', at(1))]);
  expect(first).toEqual({ failures: 1, last: Date.parse(at(1)) });
  expect(nextBackoff(first, [], [ended('b', at(3)), ended('c', at(2))])).toEqual({
    failures: 3,
    last: Date.parse(at(3)),
  });
  expect(nextBackoff(first, [ended('s', at(5))], [])).toBeUndefined();
  expect(nextBackoff(first, [ended('s', at(5))], [ended('d', at(4)), ended('e', at(6))])).toEqual({
    failures: 1,
    last: Date.parse(at(6)),
  });
  expect(nextBackoff(first, [], [])).toBe(first);
});

it('counts more pods than a call takes arguments', () => {
  const many = (second: number): Pod[] => Array<Pod>(200_000).fill(ended('a', at(second)));
  expect(nextBackoff(undefined, [], many(1))).toEqual({ failures: 200_000, last: Date.parse(at(1)) });
  expect(nextBackoff(undefined, many(2), many(3))).toEqual({ failures: 200_000, last: Date.parse(at(3)) });
});
