/** The backoff before a Job replaces failed pods: 10 seconds, doubled with each consecutive failure, up to 10 minutes. */

import type { Pod } from '../../pods/pod.ts';
import { readyCondition } from '../../pods/pod-conditions.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';

export interface Backoff {
  /** Consecutive failures. */
  failures: number;
  /** In milliseconds. */
  last?: number;
}

const firstSeconds = 10;
const longestSeconds = 600;

/** When its last container ended, or the best approximation that is known. */
export function finishedAt({ metadata, spec, status }: Pod): number {
  const sidecars = new Set(
    (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
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
  if (succeeded.length === 0) return { failures: (known?.failures ?? 0) + failed.length, last: latest(failures) };
  const lastSuccess = latest(succeeded.map(finishedAt));
  const since = failures.filter((time) => time > lastSuccess);
  return since.length === 0 ? undefined : { failures: since.length, last: latest(since) };
}

export function remainingMillis({ failures, last }: Backoff, clock: ScaledTime): number {
  if (failures === 0 || last === undefined) return 0;
  const seconds = Math.min(firstSeconds * 2 ** (failures - 1), longestSeconds);
  return Math.max(0, last + clock.millis(seconds) - clock.now());
}

/** Reduced, as there may be more values than a function call accepts as arguments. */
const latest = (times: readonly number[]): number => times.reduce((one, other) => Math.max(one, other));
