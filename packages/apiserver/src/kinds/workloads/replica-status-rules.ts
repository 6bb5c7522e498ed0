/** How many pods a workload's status may report. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { countsErrors } from '../rules/numbers.ts';
import type { ReplicaStatus } from './workload.ts';

type Count = Exclude<keyof ReplicaStatus, 'collisionCount'>;

/** None is more than all; `ready` is what the kind calls the ready ones. */
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

/** Of ReplicaSets, and of what they come from. */
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
