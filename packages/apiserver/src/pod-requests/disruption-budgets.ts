/** Checks and charges PodDisruptionBudgets. */

import { forbidden, StatusError } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { decodeObject } from '../registry/stored-object.ts';
import { type SelectorObject, selectsByObject } from '../selectors/selector-object.ts';

interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

interface BudgetStatus {
  observedGeneration?: number;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  disruptedPods?: Record<string, string>;
  conditions?: Condition[];
}

export interface Budget extends KubeObject {
  spec?: { selector?: SelectorObject; unhealthyPodEvictionPolicy?: string };
  status?: BudgetStatus;
}

/** Evictions that the disruption controller has not processed yet. */
const mostUnseen = 2_000;
const allowed = 'DisruptionAllowed';

export async function budgetsOf(budgets: ObjectRegistry, { metadata }: KubeObject): Promise<Budget[]> {
  const { entries } = await budgets.list({ namespace: metadata.namespace });
  return entries
    .map((entry) => decodeObject(entry) as Budget)
    .filter(({ spec }) => spec?.selector && selectsByObject(spec.selector, metadata.labels ?? {}));
}

export function tooMany(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });
}

/** Throws if no disruption is allowed. */
export async function takeDisruption(
  budgets: ObjectRegistry,
  budget: Budget,
  podName: string,
  dryRun: boolean,
): Promise<void> {
  const { name, namespace } = budget.metadata;
  await budgets.update(name!, { namespace, subresource: 'status', dryRun }, (old) => taken(old as Budget, podName));
}

function taken(budget: Budget, podName: string): Budget {
  const { name, generation = 0 } = budget.metadata;
  const status = budget.status ?? {};
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  const refuse = (why: string) =>
    forbidden(
      `poddisruptionbudget.policy ${JSON.stringify(name)} is forbidden: ${why}`,
      { group: 'policy', resource: 'poddisruptionbudget' },
      name!,
    );
  if (observedGeneration < generation)
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  if (disruptionsAllowed < 0) throw refuse('pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > mostUnseen)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (disruptionsAllowed === 0) throw tooMany(whyNot(name!, status), 0);
  const left = {
    ...status,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...disruptedPods, [podName]: timeText(Date.now()) },
  };
  return { ...budget, status: disruptionsAllowed === 1 ? withNoneLeft(left, generation) : left };
}

function whyNot(name: string, { conditions = [], currentHealthy = 0, desiredHealthy = 0 }: BudgetStatus): string {
  const condition = conditions.find(({ type, status, message }) => type === allowed && status === 'False' && message);
  if (condition?.reason === 'SyncFailed')
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${condition.message}`;
  if (currentHealthy <= desiredHealthy)
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  const shown = condition ? ` (${condition.reason}): ${condition.message}` : '';
  return `The disruption budget ${name} does not allow evicting pods currently${shown}`;
}

function withNoneLeft(status: BudgetStatus, observedGeneration: number): BudgetStatus {
  const { conditions = [] } = status;
  const old = conditions.find(({ type }) => type === allowed);
  const isSame = old?.status === 'False' && old.lastTransitionTime;
  const made: Condition = {
    type: allowed,
    status: 'False',
    observedGeneration,
    lastTransitionTime: isSame ? old.lastTransitionTime! : timeText(Date.now()),
    reason: 'InsufficientPods',
    message: '',
  };
  return { ...status, conditions: old ? conditions.map((one) => (one === old ? made : one)) : [...conditions, made] };
}
