/** The fields of a Job that defaults and validation use. */

import type { SelectorObject } from '../../selectors/selector-object.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';

export interface ExitCodes {
  containerName?: string;
  operator?: string;
  values?: number[] | null;
}

export interface FailureRule {
  action?: string;
  onExitCodes?: ExitCodes;
  onPodConditions?: { type?: string; status?: string }[] | null;
}

export interface SuccessRule {
  succeededIndexes?: string;
  succeededCount?: number;
}

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: { rules?: FailureRule[] | null };
  successPolicy?: { rules?: SuccessRule[] | null };
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: SelectorObject;
  manualSelector?: boolean;
  template: PodTemplate;
  ttlSecondsAfterFinished?: number;
  completionMode?: string;
  suspend?: boolean;
  podReplacementPolicy?: string;
  managedBy?: string;
}

export interface JobStatus {
  conditions?: { type: string; status: string }[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  ready?: number;
}

export interface Job {
  spec: JobSpec;
  status: JobStatus;
}

export const hasCondition = ({ status }: Pick<Job, 'status'>, type: string, value = 'True'): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type && condition.status === value);

export const isIndexed = ({ completionMode }: JobSpec): boolean => completionMode === 'Indexed';
