/** Applies a Job's podFailurePolicy to a failed pod. */

import type { ContainerStatus, Pod, PodCondition } from '../../pods/pod.ts';

export interface FailurePolicy {
  rules: {
    action: string;
    onExitCodes?: { containerName?: string; operator: string; values: number[] };
    onPodConditions?: { type: string; status?: string }[];
  }[];
}

export interface Judgement {
  /** The message of the Job's condition, if the Job fails. */
  message?: string;
  isCounted: boolean;
  action?: string;
}

export function judgeFailure(policy: FailurePolicy | undefined, pod: Pod): Judgement {
  for (const [index, { action, onExitCodes, onPodConditions }] of (policy?.rules ?? []).entries()) {
    const where = `${pod.metadata.namespace}/${pod.metadata.name}`;
    let message: string | undefined;
    if (onExitCodes) {
      const container = failedContainer(pod, onExitCodes);
      if (!container) continue;
      const code = container.state!.terminated!.exitCode;
      message = `Container ${container.name} for pod ${where} failed with exit code ${code} matching ${action} rule at index ${index}`;
    } else if (onPodConditions) {
      const condition = matchingCondition(pod, onPodConditions);
      if (!condition) continue;
      message = `Pod ${where} has condition ${condition.type} matching ${action} rule at index ${index}`;
    } else continue;
    if (action === 'Ignore') return { isCounted: false, action };
    return { isCounted: true, action, ...(action === 'FailJob' ? { message } : {}) };
  }
  return { isCounted: true };
}

function failedContainer(
  { status }: Pod,
  { containerName, operator, values }: { containerName?: string; operator: string; values: number[] },
): ContainerStatus | undefined {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(({ name, state }) => {
    const code = state?.terminated?.exitCode ?? 0;
    if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
    return operator === 'In' ? values.includes(code) : operator === 'NotIn' && !values.includes(code);
  });
}

const matchingCondition = (
  { status }: Pod,
  patterns: readonly { type: string; status?: string }[],
): PodCondition | undefined =>
  status?.conditions?.find((condition) =>
    patterns.some(({ type, status: desired = 'True' }) => type === condition.type && desired === condition.status),
  );
