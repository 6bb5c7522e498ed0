/** PodDisruptionBudgets and HorizontalPodAutoscalers, which act on the pods of other workloads. */

import type { JsonObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { type Counters, countersOf, sumsOf, written } from './counters.ts';
import { numberAt, recordAt } from './fields.ts';
import { statusOf, withStatus } from './status.ts';

const budget: Counters = {
  summed: ['disruptionsAllowed', 'expectedPods', 'desiredHealthy', 'currentHealthy'],
  always: ['disruptionsAllowed', 'expectedPods', 'desiredHealthy', 'currentHealthy'],
};

export const disruptionBudgetRules: ObjectRules = {
  reflect(observed) {
    const status = statusOf(observed);
    if (!status) return undefined;
    const disruptedPods = recordAt(status, 'disruptedPods') as JsonObject;
    return {
      ...written(countersOf(status, budget), budget),
      ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    };
  },
  aggregate(template, items) {
    const disrupted = items.flatMap(({ clusterName, status }) =>
      Object.entries(recordAt(status, 'disruptedPods')).map(([pod, time]) => [`${clusterName}/${pod}`, time] as const),
    );
    return withStatus(template, {
      ...written(sumsOf(items, budget), budget),
      ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
    });
  },
  health: ({ status }) =>
    (numberAt(status, 'currentHealthy') ?? 0) >= (numberAt(status, 'desiredHealthy') ?? 0) ? 'Healthy' : 'Unhealthy',
};

const scale: Counters = { summed: ['currentReplicas', 'desiredReplicas'], always: ['desiredReplicas'] };

/** Of autoscaling/v2. */
export const podAutoscalerRules: ObjectRules = {
  reflect(observed) {
    const status = statusOf(observed);
    return status && written(countersOf(status, scale), scale);
  },
  aggregate: (template, items) => withStatus(template, written(sumsOf(items, scale), scale)),
};
