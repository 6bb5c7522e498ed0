/** Validates the replica counts in a workload's status. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { countsErrors } from '../rules/numbers.ts';
import type { ReplicaStatus } from './workload.ts';

type Count = Exclude<keyof ReplicaStatus, 'collisionCount'>;

/** No count exceeds the total; `ready` is the kind's field for ready replicas. */
export function replicaStatusErrors(status: ReplicaStatus, counts: readonly Count[], ready: string): FieldError[] {
  const { replicas = 0, availableReplicas = 0, readyReplicas = 0 } = status;
  return [
    ...counts.flatMap((count) => {
      const value = status[count] ?? 0;
      return value > replicas ? [invalidValue(`status.${count}`, value, 'cannot be greater than status.replicas')] : [];
    }),
    ...(availableReplicas > readyReplicas
      ? [invalidValue('status.availableReplicas', availableReplicas, `cannot be greater than ${ready}`)]
      : []),
  ];
}

/** For ReplicaSets and Deployments. */
export const replicaSetStatusErrors = (status: ReplicaStatus): FieldError[] => [
  ...countsErrors(
    status,
    [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    'status',
  ),
  ...replicaStatusErrors(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
];

export function collisionErrors(status: ReplicaStatus, old: ReplicaStatus): FieldError[] {
  const { collisionCount = 0 } = status;
  return old.collisionCount !== undefined && collisionCount < old.collisionCount
    ? [invalidValue('status.collisionCount', collisionCount, 'cannot be decremented')]
    : [];
}
