/** Validates Deployments (Kubernetes' `apps/validation`). */

import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { above100PercentErrors, amountOf, intOrPercentErrors } from '../rules/int-or-percent.ts';
import { countErrors, countsErrors } from '../rules/numbers.ts';
import { selectedTemplateErrors } from '../workloads/replica-set-rules.ts';
import { collisionErrors, replicaStatusErrors } from '../workloads/replica-status-rules.ts';
import { immutableSelectorErrors } from '../workloads/selector-rules.ts';
import type { ReplicaStatus } from '../workloads/workload.ts';
import type { DeploymentSpec, RollingUpdate } from './deployment.ts';

export const deploymentErrors = (spec: DeploymentSpec): FieldError[] => [
  ...countErrors(spec.replicas, 'spec.replicas'),
  ...selectedTemplateErrors(spec),
  ...strategyErrors(spec.strategy, 'spec.strategy'),
  ...countsErrors(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], 'spec'),
  ...deadlineErrors(spec),
];

export const deploymentUpdateErrors = (spec: DeploymentSpec, old: DeploymentSpec): FieldError[] => [
  ...deploymentErrors(spec),
  ...immutableSelectorErrors(spec.selector, old.selector),
];

function deadlineErrors({ progressDeadlineSeconds, minReadySeconds = 0 }: DeploymentSpec): FieldError[] {
  if (progressDeadlineSeconds === undefined || progressDeadlineSeconds > minReadySeconds) return [];
  const at = 'spec.progressDeadlineSeconds';
  return [invalidValue(at, progressDeadlineSeconds, 'must be greater than minReadySeconds')];
}

function strategyErrors({ type = '', rollingUpdate }: DeploymentSpec['strategy'], at: string): FieldError[] {
  switch (type) {
    case 'Recreate':
      return rollingUpdate
        ? [forbiddenField(`${at}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
        : [];
    case 'RollingUpdate':
      return rollingUpdate
        ? rollingUpdateErrors(rollingUpdate, `${at}.rollingUpdate`)
        : [required(`${at}.rollingUpdate`, 'this should be defaulted and never be nil')];
    default:
      return [
        notSupported(at, { Type: type, RollingUpdate: shownUpdate(rollingUpdate) }, ['Recreate', 'RollingUpdate']),
      ];
  }
}

/** Kubernetes' internal form, which error texts show. */
const shownUpdate = (update: RollingUpdate | undefined) =>
  update ? { MaxUnavailable: update.maxUnavailable ?? 0, MaxSurge: update.maxSurge ?? 0 } : null;

function rollingUpdateErrors({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdate, at: string): FieldError[] {
  const isStuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  return [
    ...intOrPercentErrors(maxUnavailable, `${at}.maxUnavailable`),
    ...intOrPercentErrors(maxSurge, `${at}.maxSurge`),
    ...(isStuck ? [invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...above100PercentErrors(maxUnavailable, `${at}.maxUnavailable`),
  ];
}

export const deploymentStatusErrors = (status: ReplicaStatus, old: ReplicaStatus): FieldError[] => [
  ...countsErrors(
    status,
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    'status',
  ),
  ...replicaStatusErrors(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
  ...collisionErrors(status, old),
];
