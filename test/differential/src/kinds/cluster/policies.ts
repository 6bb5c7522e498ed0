/** Budgets, autoscalers and priorities. */
import type { Random } from '../../random.ts';
import type { JsonObject } from '../../request.ts';
import { type Kind, ordinary } from '../kind.ts';
import { change } from './change.ts';
import { some } from './pod-spec.ts';

export const podDisruptionBudget: Kind = {
  ...ordinary,
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  weight: 3,
  build: (random, name) => ({
    spec: {
      selector: { matchLabels: { own: name } },
      ...random.pick<JsonObject>([{ maxUnavailable: 1 }, { minAvailable: '30%' }, {}]),
      ...(random.chance(0.2) && { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
    },
  }),
  edit: (random, body) => change(body, { selector: { matchLabels: { own: `o${random.below(3)}` } } }),
  forbid: (_random, body) => change(body, { minAvailable: 1, maxUnavailable: 1 }),
  status: (random) => ({
    currentHealthy: random.below(3),
    desiredHealthy: random.below(3),
    disruptionsAllowed: random.below(3),
    expectedPods: 3,
    observedGeneration: 1,
  }),
};

const metric = (random: Random): JsonObject =>
  random.pick<JsonObject>([
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
    { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } },
    { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } } },
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'main', target: { type: 'Utilization', averageUtilization: 5 } },
    },
  ]);

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'alpha' };

export const autoscaler: Kind = {
  ...ordinary,
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  build: (random) => ({
    spec: {
      scaleTargetRef: target,
      maxReplicas: 3 + random.below(5),
      ...some(random, 0.4, [
        () => ({ minReplicas: 1 + random.below(3) }),
        () => ({ metrics: [metric(random), metric(random)] }),
        () => ({
          behavior: {
            scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: 'Min' },
            scaleUp: { policies: [{ type: 'Percent', value: 50, periodSeconds: 30 }] },
          },
        }),
      ]),
    },
  }),
  edit: (random, body) => change(body, { maxReplicas: 5 + random.below(5) }),
  forbid: (_random, body) => change(body, { minReplicas: 9, maxReplicas: 2 }),
  status: (random) => ({ currentReplicas: random.below(3), desiredReplicas: random.below(3) }),
};

export const oldAutoscaler: Kind = {
  ...autoscaler,
  version: 'v1',
  weight: 2,
  build: (random) => ({
    spec: { scaleTargetRef: target, maxReplicas: 4, ...(random.chance(0.5) && { targetCPUUtilizationPercentage: 60 }) },
  }),
};

// never the default: lanes share it
export const priorityClass: Kind = {
  ...ordinary,
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  resource: 'priorityclasses',
  namespaced: false,
  weight: 3,
  build: (random) => ({
    value: random.below(1000),
    ...some(random, 0.3, [
      () => ({ description: 'some' }),
      () => ({ preemptionPolicy: random.pick(['Never', 'PreemptLowerPriority']) }),
    ]),
  }),
  edit: (random, body) => {
    body['description'] = `turn ${random.below(9)}`;
  },
  forbid: (random, body) => {
    Object.assign(body, random.pick([{ value: 5000 }, { preemptionPolicy: 'Never' }]));
  },
};
