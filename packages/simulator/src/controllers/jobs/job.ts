/** The Job kind, and properties that follow from its fields alone. */

import type { SelectorObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { conditionOf } from '../shared/conditions.ts';
import type { ControllerKind } from '../shared/controller-ref.ts';
import type { Condition, PodTemplate } from '../shared/objects.ts';
import type { FailurePolicy } from './failure-policy.ts';

export interface JobStatus {
  startTime?: string;
  completionTime?: string;
  active?: number;
  ready?: number;
  terminating?: number;
  succeeded?: number;
  failed?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  conditions?: Condition[];
}

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  activeDeadlineSeconds?: number;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  managedBy?: string;
  podReplacementPolicy?: string;
  podFailurePolicy?: FailurePolicy;
  successPolicy?: { rules: { succeededIndexes?: string; succeededCount?: number }[] };
  selector?: SelectorObject;
  template: PodTemplate;
}

export interface Job extends KubeObject {
  spec: JobSpec;
  status?: JobStatus;
}

export const jobs: ControllerKind = { apiVersion: 'batch/v1', kind: 'Job', root: 'apis/batch/v1', resource: 'jobs' };

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
export const completionIndex = 'batch.kubernetes.io/job-completion-index';

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;

export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

export const isSuspended = ({ spec }: Job): boolean => spec.suspend === true;

/** Another controller manages it (`spec.managedBy`). */
export const isManagedExternally = ({ spec }: Job): boolean =>
  spec.managedBy !== undefined && spec.managedBy !== 'kubernetes.io/job-controller';

const isTrue = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  conditionOf(conditions, type)?.status === 'True';

export const isFinished = ({ status }: Job): boolean =>
  isTrue(status?.conditions, 'Complete') || isTrue(status?.conditions, 'Failed');

/** New pods are created only after the old ones have failed, not already when they are deleted. */
export const replacesFailedOnly = ({ spec }: Job): boolean =>
  spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;

export function isPodFailed({ status, metadata }: Pod, job: Job): boolean {
  if (status?.phase === 'Failed') return true;
  if (replacesFailedOnly(job)) return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

/** Undefined if it has none. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[completionIndex];
  const index = Number(text);
  return text !== undefined && text !== '' && Number.isInteger(index) && index >= 0 ? index : undefined;
}

export const isValidIndex = (index: number | undefined, { spec }: Job): index is number =>
  index !== undefined && index < (spec.completions ?? 0);
