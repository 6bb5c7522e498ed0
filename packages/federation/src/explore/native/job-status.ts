/**
 * The status of a Job that runs in several clusters (FED-12), such that a Kubernetes API server accepts it: a Job ends with
 * `SuccessCriteriaMet` or `FailureTarget`, has no active pods then, and its start and its counters never go back.
 */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';
import { sumsOf, written } from './counters.ts';
import { numberAt, recordsAt, textAt } from './fields.ts';
import { earlierTime, laterTime, reportedStatuses, statusOf, withStatus } from './status.ts';

export function aggregateJob(template: AnyObject, items: readonly AggregatedStatusItem[]): AnyObject {
  const old = statusOf(template) ?? {};
  // One that is finished never changes again.
  if (conditionOf(old, 'Complete') || conditionOf(old, 'Failed')) return template;
  const counters = { summed: ['active', 'succeeded', 'failed'], always: [] };
  const { active = 0, succeeded = 0, failed = 0 } = sumsOf(items, counters);
  const conditions = conditionsOf(old, items, active);
  const isComplete = conditions.some(({ type }) => type === 'Complete');
  const startTime = textAt(old, 'startTime') || startOf(items, isComplete || conditions.length > 1);
  const completionTime = isComplete && reportedStatuses(items).reduce(laterOf('completionTime'), undefined);
  return withStatus(template, {
    ...written(
      {
        active,
        succeeded: Math.max(succeeded, numberAt(old, 'succeeded') ?? 0),
        failed: Math.max(failed, numberAt(old, 'failed') ?? 0),
      },
      counters,
    ),
    ...(conditions.length > 0 && { conditions }),
    ...(startTime && { startTime }),
    ...(completionTime && { completionTime }),
  });
}

interface JobCondition extends JsonObject {
  type: string;
  status: string;
  reason: string;
  message: string;
}

/** Failed if any cluster has failed and no pod runs in another cluster; complete if all are. */
function conditionsOf(old: object, items: readonly AggregatedStatusItem[], active: number): JobCondition[] {
  const failed = items.filter(({ status }) => conditionOf(status, 'Failed'));
  const known = conditionOf(old, 'FailureTarget') as JobCondition | undefined;
  if (failed.length > 0 || known) {
    const message = `Job executed failed in member clusters ${failed.map(({ clusterName }) => clusterName).join(',')}`;
    const target =
      failed.length > 0 ? condition('FailureTarget', 'JobFailed', message, ended(failed, 'Failed')) : known;
    if (!target) return [];
    return active > 0 ? [target] : [target, { ...target, type: 'Failed' }];
  }
  if (items.length === 0 || !items.every(({ status }) => conditionOf(status, 'Complete'))) return [];
  const time = ended(items, 'Complete');
  return [
    condition('Complete', 'Completed', 'Job completed', time),
    condition('SuccessCriteriaMet', 'CompletionsReached', 'All member clusters have met success criteria', time),
  ];
}

const condition = (type: string, reason: string, message: string, time: string | undefined): JobCondition => ({
  type,
  status: 'True',
  ...(time && { lastProbeTime: time, lastTransitionTime: time }),
  reason,
  message,
});

/** When the last of the clusters came to its end: this has no clock of its own. */
const ended = (items: readonly AggregatedStatusItem[], type: string): string | undefined =>
  items.reduce<string | undefined>(
    (time, { status }) => laterTime(time, textAt(conditionOf(status, type), 'lastTransitionTime')),
    undefined,
  );

const conditionOf = (status: unknown, expected: string): object | undefined =>
  recordsAt(status, 'conditions').find(({ type, status }) => type === expected && status === 'True');

/** It cannot be changed afterwards, so that it waits for every cluster, unless the Job has ended. */
function startOf(items: readonly AggregatedStatusItem[], hasEnded: boolean): string | undefined {
  const times = items.map(({ status }) => textAt(status, 'startTime'));
  if (!hasEnded && times.includes('')) return undefined;
  return times.reduce<string | undefined>(earlierTime, undefined);
}

const laterOf =
  (name: string) =>
  (time: string | undefined, status: JsonObject): string | undefined =>
    laterTime(time, textAt(status, name));
