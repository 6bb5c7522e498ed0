import { expect, test } from 'vitest';
import { disruptionBudgetRules, podAutoscalerRules } from './pod-guards.ts';
import { objectOf, reports } from './testing.ts';

const budget = (fields: object = {}) => objectOf('policy/v1', 'PodDisruptionBudget', fields);
const autoscaler = (fields: object = {}) => objectOf('autoscaling/v2', 'HorizontalPodAutoscaler', fields);

const healthy = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 1 };
const time = '2026-01-01T00:00:00Z';
const unhealthy = {
  currentHealthy: 0,
  desiredHealthy: 1,
  disruptionsAllowed: 0,
  expectedPods: 1,
  disruptedPods: { 'pod-1234': time },
};

test('FED-12: status of a PodDisruptionBudget in the Work', () => {
  const more = { conditions: [{}], observedGeneration: 2 };
  expect(disruptionBudgetRules.reflect!(budget({ status: { ...unhealthy, ...more } }))).toEqual(unhealthy);
  expect(disruptionBudgetRules.reflect!(budget({ status: { ...healthy, disruptedPods: {} } }))).toEqual(healthy);
  expect(disruptionBudgetRules.reflect!(budget())).toBeUndefined();
});

test('FED-12: counters of PodDisruptionBudgets are summed, disrupted pods named by their cluster', () => {
  const sum = { currentHealthy: 2, desiredHealthy: 2, disruptionsAllowed: 2, expectedPods: 2 };
  expect(disruptionBudgetRules.aggregate!(budget({ status: healthy }), reports(healthy, healthy))['status']).toEqual(
    sum,
  );
  expect(disruptionBudgetRules.aggregate!(budget(), reports(unhealthy, unhealthy))['status']).toEqual({
    currentHealthy: 0,
    desiredHealthy: 2,
    disruptionsAllowed: 0,
    expectedPods: 2,
    disruptedPods: { 'member1/pod-1234': time, 'member2/pod-1234': time },
  });
  const template = budget({ status: sum });
  expect(disruptionBudgetRules.aggregate!(template, reports(healthy, healthy))).toBe(template);
});

test.each([
  [2, 1, 'Healthy'],
  [1, 1, 'Healthy'],
  [0, 1, 'Unhealthy'],
])('FED-12: a PodDisruptionBudget with %i healthy pods of %i is %s', (currentHealthy, desiredHealthy, expected) => {
  expect(disruptionBudgetRules.health!(budget({ status: { currentHealthy, desiredHealthy } }))).toBe(expected);
});

test('FED-12: status of a HorizontalPodAutoscaler in the Work', () => {
  const status = { currentReplicas: 3, desiredReplicas: 5, currentMetrics: [{}], lastScaleTime: time };
  expect(podAutoscalerRules.reflect!(autoscaler({ status }))).toEqual({ currentReplicas: 3, desiredReplicas: 5 });
  expect(podAutoscalerRules.reflect!(autoscaler({ status: {} }))).toEqual({ desiredReplicas: 0 });
  expect(podAutoscalerRules.reflect!(autoscaler())).toBeUndefined();
});

test('FED-12: replicas of HorizontalPodAutoscalers are summed', () => {
  const items = reports(
    { currentReplicas: 2, desiredReplicas: 2 },
    { currentReplicas: 4, desiredReplicas: 4 },
    undefined,
  );
  const sum = { currentReplicas: 6, desiredReplicas: 6 };
  expect(podAutoscalerRules.aggregate!(autoscaler(), items)['status']).toEqual(sum);
  const template = autoscaler({ status: sum });
  expect(podAutoscalerRules.aggregate!(template, items)).toBe(template);
});
