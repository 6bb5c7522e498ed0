/** How long a Job waits before it replaces pods that failed: 10 seconds, doubled with each failure in a row, 10 minutes at most. */

import type { Clock } from '../shared/clock.ts';
import type { Pod } from '../shared/objects.ts';
import { readyCondition } from '../shared/pod-state.ts';

export interface Backoff {
  /** In a row. */
  failures: number;
  /** In milliseconds. */
  last?: number;
}

const firstSeconds = 10;
const longestSeconds = 600;

/** When its last container ended, or the next best that is known. */
export function finishedAt({ metadata, spec, status }: Pod): number {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.some((one) => one.name === name)),
  ];
  const ends = statuses.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  if (ends.length > 0 && ends.every((end) => !Number.isNaN(end))) return Math.max(...ends);
  const ready = readyCondition({ metadata, spec, ...(status ? { status } : {}) });
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  if (metadata.deletionTimestamp) {
    return Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  }
  return Date.parse(metadata.creationTimestamp ?? '');
}

export function nextBackoff(
  known: Backoff | undefined,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): Backoff | undefined {
  if (succeeded.length === 0 && failed.length === 0) return known;
  const failures = failed.map(finishedAt);
  if (succeeded.length === 0) return { failures: (known?.failures ?? 0) + failed.length, last: Math.max(...failures) };
  const lastSuccess = Math.max(...succeeded.map(finishedAt));
  const since = failures.filter((time) => time > lastSuccess);
  return since.length === 0 ? undefined : { failures: since.length, last: Math.max(...since) };
}

export function remainingMillis({ failures, last }: Backoff, clock: Clock): number {
  if (failures === 0 || last === undefined) return 0;
  const seconds = Math.min(firstSeconds * 2 ** (failures - 1), longestSeconds);
  return Math.max(0, last + clock.millis(seconds) - clock.now());
}
