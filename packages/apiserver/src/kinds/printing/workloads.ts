import { humanDuration } from '../../registry/human-duration.ts';
import { sinceTime } from '../../registry/printed-kind.ts';
import { type SelectorObject, selectorText } from '../../selectors/selector-object.ts';
import { type Condition, cellsOf, conditionOf, type KindCells, none } from './cells.ts';
import { labelsText, selectorOrNone } from './selectors.ts';

interface Template {
  metadata?: { labels?: Record<string, string> };
  spec?: { containers?: { name?: string; image?: string }[]; nodeSelector?: Record<string, string> };
}

interface Workload<Selector = SelectorObject> {
  spec?: { replicas?: number; selector?: Selector; template?: Template };
  status?: { replicas?: number; readyReplicas?: number; updatedReplicas?: number; availableReplicas?: number };
}

const containersOf = (template: Template | undefined) => template?.spec?.containers ?? [];

const namesOf = (template: Template | undefined): string =>
  containersOf(template)
    .map(({ name = '' }) => name)
    .join(',');

const imagesOf = (template: Template | undefined): string =>
  containersOf(template)
    .map(({ image = '' }) => image)
    .join(',');

const templated = {
  Containers: ({ spec }: { spec?: { template?: Template } }) => namesOf(spec?.template),
  Images: ({ spec }: { spec?: { template?: Template } }) => imagesOf(spec?.template),
};

const counted = {
  Desired: ({ spec }: Workload<unknown>) => spec?.replicas ?? 0,
  Current: ({ status }: Workload<unknown>) => status?.replicas ?? 0,
  Ready: ({ status }: Workload<unknown>) => status?.readyReplicas ?? 0,
};

const readyOfDesired = ({ spec, status }: Workload): string => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;

const deployments = cellsOf<Workload>('apps/deployments', {
  Ready: readyOfDesired,
  'Up-to-date': ({ status }) => status?.updatedReplicas ?? 0,
  Available: ({ status }) => status?.availableReplicas ?? 0,
  ...templated,
  Selector: ({ spec }) => selectorText(spec?.selector ?? {}),
});

const statefulSets = cellsOf<Workload>('apps/statefulsets', { Ready: readyOfDesired, ...templated });

const replicaSets = cellsOf<Workload>('apps/replicasets', {
  ...counted,
  ...templated,
  Selector: ({ spec }) => selectorOrNone(spec?.selector),
});

const replicationControllers = cellsOf<Workload<Record<string, string>>>('/replicationcontrollers', {
  ...counted,
  ...templated,
  Selector: ({ spec }) => labelsText(spec?.selector),
});

interface DaemonSet {
  spec?: { selector?: SelectorObject; template?: Template };
  status?: {
    desiredNumberScheduled?: number;
    currentNumberScheduled?: number;
    numberReady?: number;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
  };
}

const daemonSets = cellsOf<DaemonSet>('apps/daemonsets', {
  Desired: ({ status }) => status?.desiredNumberScheduled ?? 0,
  Current: ({ status }) => status?.currentNumberScheduled ?? 0,
  Ready: ({ status }) => status?.numberReady ?? 0,
  'Up-to-date': ({ status }) => status?.updatedNumberScheduled ?? 0,
  Available: ({ status }) => status?.numberAvailable ?? 0,
  'Node Selector': ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector),
  ...templated,
  Selector: ({ spec }) => selectorOrNone(spec?.selector),
});

interface Job {
  spec?: { completions?: number; parallelism?: number; selector?: SelectorObject; template?: Template };
  status?: { succeeded?: number; startTime?: string; completionTime?: string; conditions?: Condition[] };
}

function jobStatus({ metadata, status }: Job & { metadata: { deletionTimestamp?: string } }): string {
  const is = (type: string) => conditionOf(status?.conditions, type)?.status === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration({ status }: Job, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

const jobs = cellsOf<Job>('batch/jobs', {
  Status: jobStatus,
  Completions: completions,
  Duration: jobDuration,
  ...templated,
  Selector: ({ spec }) => selectorOrNone(spec?.selector),
});

interface CronJob {
  spec?: { schedule?: string; timeZone?: string; suspend?: boolean; jobTemplate?: { spec?: Job['spec'] } };
  status?: { active?: unknown[]; lastScheduleTime?: string };
}

const cronJobs = cellsOf<CronJob>('batch/cronjobs', {
  Schedule: ({ spec }) => spec?.schedule ?? '',
  Timezone: ({ spec }) => spec?.timeZone ?? none,
  Suspend: ({ spec }) => (spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False'),
  Active: ({ status }) => status?.active?.length ?? 0,
  'Last Schedule': ({ status }, now) => (status?.lastScheduleTime ? sinceTime(status.lastScheduleTime, now) : none),
  Containers: ({ spec }) => namesOf(spec?.jobTemplate?.spec?.template),
  Images: ({ spec }) => imagesOf(spec?.jobTemplate?.spec?.template),
  Selector: ({ spec }) => selectorOrNone(spec?.jobTemplate?.spec?.selector),
});

const podTemplates = cellsOf<{ template?: Template }>('/podtemplates', {
  Containers: ({ template }) => namesOf(template),
  Images: ({ template }) => imagesOf(template),
  'Pod Labels': ({ template }) => labelsText(template?.metadata?.labels),
});

const controllerRevisions = cellsOf<{ revision?: number }>('apps/controllerrevisions', {
  Controller: ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller);
    if (!owner) return none;
    const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [];
    return `${(group ? `${owner.kind}.${group}` : owner.kind).toLowerCase()}/${owner.name}`;
  },
  Revision: ({ revision = 0 }) => revision,
});

interface DisruptionBudget {
  spec?: { minAvailable?: string | number; maxUnavailable?: string | number };
  status?: { disruptionsAllowed?: number };
}

const disruptionBudgets = cellsOf<DisruptionBudget>('policy/poddisruptionbudgets', {
  'Min Available': ({ spec }) => String(spec?.minAvailable ?? 'N/A'),
  'Max Unavailable': ({ spec }) => String(spec?.maxUnavailable ?? 'N/A'),
  'Allowed Disruptions': ({ status }) => status?.disruptionsAllowed ?? 0,
});

export const workloadCells: readonly KindCells[] = [
  deployments,
  statefulSets,
  replicaSets,
  replicationControllers,
  daemonSets,
  jobs,
  cronJobs,
  podTemplates,
  controllerRevisions,
  disruptionBudgets,
];
