import { expect, test } from 'vitest';
import { isClusterName } from '../cluster-name.ts';
import { planClusters } from './plan.ts';

test('three clusters of three regions and versions', () => {
  const plan = planClusters(3, 1);
  expect(plan.map(({ name }) => name)).toEqual(['frankfurt', 'virginia', 'tokyo']);
  for (const key of ['region', 'version', 'seed'] as const) expect(new Set(plan.map((one) => one[key])).size).toBe(3);
});

test('more of them are the same for the same seed, each with a name of its own', () => {
  const plan = planClusters(200, 7);
  expect(planClusters(50, 7)).toEqual(plan.slice(0, 50));
  expect(planClusters(50, 8)).not.toEqual(plan.slice(0, 50));
  expect(new Set(plan.map(({ name }) => name)).size).toBe(200);
  expect(plan.every(({ name }) => isClusterName(name))).toBe(true);
});
