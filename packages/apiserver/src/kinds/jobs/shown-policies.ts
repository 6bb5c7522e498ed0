/** The policies of a Job in Kubernetes' internal form, which error texts show. */

import type { JobSpec } from './job.ts';

export const shownSuccessPolicy = ({ successPolicy }: JobSpec): object | null =>
  successPolicy
    ? {
        Rules:
          successPolicy.rules?.map(({ succeededIndexes = null, succeededCount = null }) => ({
            SucceededIndexes: succeededIndexes,
            SucceededCount: succeededCount,
          })) ?? null,
      }
    : null;

export const shownFailurePolicy = ({ podFailurePolicy }: JobSpec): object | null =>
  podFailurePolicy
    ? {
        Rules:
          podFailurePolicy.rules?.map(({ action = '', onExitCodes, onPodConditions }) => ({
            Action: action,
            OnExitCodes: onExitCodes
              ? {
                  ContainerName: onExitCodes.containerName ?? null,
                  Operator: onExitCodes.operator ?? '',
                  Values: onExitCodes.values ?? null,
                }
              : null,
            OnPodConditions:
              onPodConditions?.map(({ type = '', status = '' }) => ({ Type: type, Status: status })) ?? null,
          })) ?? null,
      }
    : null;
