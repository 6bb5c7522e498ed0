/** Jobs and CronJobs. */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { countersOf, written } from './counters.ts';
import {
  type Fields,
  fieldAt,
  numberAt,
  type Path,
  recordAt,
  recordsAt,
  textAt,
  withField,
  withoutFields,
} from './fields.ts';
import { aggregateJob } from './job-status.ts';
import { podDependencies } from './pod-dependencies.ts';
import { replicasOf, templateDependencies } from './pod-template.ts';
import { laterTime, reportedStatuses, statusOf, withStatus } from './status.ts';

export const jobRules: ObjectRules = {
  replicas(template) {
    const parallelism = numberAt(template, 'spec', 'parallelism') ?? 1;
    const completions = numberAt(template, 'spec', 'completions') ?? parallelism;
    return replicasOf(template, Math.min(parallelism, completions), recordAt(template, 'spec', 'template', 'spec'));
  },
  revise: (template, replicas) => withField(template, ['spec', 'parallelism'], replicas),
  divided: {
    total: (template) => numberAt(template, 'spec', 'completions'),
    revise: (template, completions) => withField(template, ['spec', 'completions'], completions),
  },
  pack: packJob,
  retain: retainGenerated,
  reflect: reflectJob,
  aggregate: aggregateJob,
  dependencies: templateDependencies,
};

const selectorLabels: Path = ['spec', 'selector', 'matchLabels'];
const podLabels: Path = ['spec', 'template', 'metadata', 'labels'];
const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];

/** The TTL is kept in the control plane: a member that removed the Job would be given it again. */
function packJob(manifest: AnyObject): AnyObject {
  const left = withoutFields(manifest, ['spec', 'ttlSecondsAfterFinished']);
  if (fieldAt(left, 'spec', 'manualSelector') === true) return left;
  return withoutFields(
    left,
    ...uidLabels.map((label): Path => [...selectorLabels, label]),
    ...[...uidLabels, ...nameLabels].map((label): Path => [...podLabels, label]),
  );
}

/** Each member generates its own, and they never change. */
function retainGenerated(desired: AnyObject, observed: AnyObject): AnyObject {
  return [selectorLabels, podLabels].reduce((retained, path) => {
    const labels = fieldAt(observed, ...path);
    return labels === undefined ? retained : withField(retained, path, labels);
  }, desired);
}

function reflectJob(observed: AnyObject): JsonObject | undefined {
  const status = statusOf(observed);
  if (!status) return undefined;
  const counters = { summed: ['active', 'succeeded', 'failed'], always: [] };
  const conditions = recordsAt(status, 'conditions');
  return {
    ...written(countersOf(status, counters), counters),
    ...(conditions.length > 0 && { conditions: conditions as JsonObject[] }),
    ...timesOf(status, ['startTime', 'completionTime']),
  };
}

const timesOf = (status: Fields, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, textAt(status, name)]).filter(([, time]) => time !== ''));

export const cronJobRules: ObjectRules = {
  aggregate: aggregateCronJob,
  dependencies: (template) =>
    podDependencies(recordAt(template, 'spec', 'jobTemplate', 'spec', 'template', 'spec'), template.metadata.namespace),
};

function aggregateCronJob(template: AnyObject, items: readonly AggregatedStatusItem[]): AnyObject {
  const statuses = reportedStatuses(items);
  const active = statuses.flatMap((status) => recordsAt(status, 'active'));
  const latest = (name: string) =>
    statuses.reduce<string | undefined>((time, status) => laterTime(time, textAt(status, name)), undefined);
  const times = { lastScheduleTime: latest('lastScheduleTime'), lastSuccessfulTime: latest('lastSuccessfulTime') };
  return withStatus(template, {
    ...(active.length > 0 && { active }),
    ...timesOf(times, ['lastScheduleTime', 'lastSuccessfulTime']),
  });
}
