/** What kubectl shows of workloads, as Kubernetes' own printers make it. */

import { humanDuration } from '../registry/human-duration.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { type Column, sinceTime } from '../registry/printed-kind.ts';
import type { SelectorObject } from '../selectors/selector-object.ts';
import { columnsOf, containerNames, images, labelsText, type Template } from './data-columns.ts';
import { selectorText } from './served.ts';

interface Spec {
  replicas?: number;
  template?: Template;
  selector?: SelectorObject;
  jobTemplate?: { spec?: Spec };
  completions?: number;
  parallelism?: number;
  schedule?: string;
  timeZone?: string;
  suspend?: boolean;
}

interface Status {
  [count: string]: number | undefined;
}

interface JobStatus {
  succeeded?: number;
  startTime?: string;
  completionTime?: string;
  conditions?: { type: string; status: string }[];
}

const specOf = ({ spec }: KubeObject): Spec => (spec ?? {}) as Spec;
const count = (name: string) => (object: KubeObject) => ((object['status'] ?? {}) as Status)[name] ?? 0;
const desired = (object: KubeObject): number => specOf(object).replicas ?? 0;
const ready = (object: KubeObject): string => `${count('readyReplicas')(object)}/${desired(object)}`;

const template = {
  Containers: (object: KubeObject) => containerNames(specOf(object).template),
  Images: (object: KubeObject) => images(specOf(object).template),
};

const selector = (object: KubeObject): string => selectorText(specOf(object).selector ?? {});
const withSelector = { ...template, Selector: (object: KubeObject) => selector(object) || '<none>' };

const replicas = {
  ...withSelector,
  Desired: desired,
  Current: count('replicas'),
  Ready: count('readyReplicas'),
};

const jobStatus = (object: KubeObject): JobStatus => (object['status'] ?? {}) as JobStatus;

function jobState(object: KubeObject): string {
  const { conditions = [] } = jobStatus(object);
  const has = (wanted: string) => conditions.find(({ type }) => type === wanted)?.status === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (object.metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function completions(object: KubeObject): string {
  const { completions: wanted, parallelism = 0 } = specOf(object);
  const { succeeded = 0 } = jobStatus(object);
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(object: KubeObject, now: number): string {
  const { startTime, completionTime } = jobStatus(object);
  if (!startTime) return '';
  return humanDuration((completionTime ? Date.parse(completionTime) : now) - Date.parse(startTime));
}

const jobSpec = (object: KubeObject): Spec => specOf(object).jobTemplate?.spec ?? {};

/** By group and resource. */
export const workloadColumns: Readonly<Record<string, () => Column[]>> = {
  'apps/deployments': () =>
    columnsOf('apps', 'deployments', {
      ...template,
      Selector: selector,
      Ready: ready,
      'Up-to-date': count('updatedReplicas'),
      Available: count('availableReplicas'),
    }),
  'apps/replicasets': () => columnsOf('apps', 'replicasets', replicas),
  '/replicationcontrollers': () =>
    columnsOf('', 'replicationcontrollers', {
      ...replicas,
      Selector: (object) => labelsText(specOf(object).selector as Record<string, string> | undefined),
    }),
  'apps/statefulsets': () => columnsOf('apps', 'statefulsets', { ...template, Ready: ready }),
  'apps/daemonsets': () =>
    columnsOf('apps', 'daemonsets', {
      ...withSelector,
      Desired: count('desiredNumberScheduled'),
      Current: count('currentNumberScheduled'),
      Ready: count('numberReady'),
      'Up-to-date': count('updatedNumberScheduled'),
      Available: count('numberAvailable'),
      'Node Selector': (object) => labelsText(specOf(object).template?.spec?.nodeSelector),
    }),
  'batch/jobs': () =>
    columnsOf('batch', 'jobs', {
      ...withSelector,
      Status: jobState,
      Completions: completions,
      Duration: jobDuration,
    }),
  'batch/cronjobs': () =>
    columnsOf('batch', 'cronjobs', {
      Schedule: (object) => specOf(object).schedule ?? '',
      Timezone: (object) => specOf(object).timeZone ?? '<none>',
      Suspend: (object) =>
        specOf(object).suspend === undefined ? '<unset>' : specOf(object).suspend ? 'True' : 'False',
      Active: ({ status }) => ((status ?? {}) as { active?: object[] }).active?.length ?? 0,
      'Last Schedule': ({ status }, now) => {
        const { lastScheduleTime } = (status ?? {}) as { lastScheduleTime?: string };
        return lastScheduleTime ? sinceTime(lastScheduleTime, now) : '<none>';
      },
      Containers: (object) => containerNames(jobSpec(object).template),
      Images: (object) => images(jobSpec(object).template),
      Selector: (object) => selectorText(jobSpec(object).selector ?? {}) || '<none>',
    }),
};
