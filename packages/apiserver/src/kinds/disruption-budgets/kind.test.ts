import { expect, it } from 'vitest';
import { createFaults, updateFaults } from '../../testing/kind-rules.ts';
import { disruptionBudgets } from './kind.ts';

it.each([
  [
    { minAvailable: 1, maxUnavailable: 1 },
    'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [{ minAvailable: '150%' }, 'spec.minAvailable: Invalid value: "150%": must not be greater than 100%'],
  [{ maxUnavailable: -1 }, 'spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
  [
    { unhealthyPodEvictionPolicy: 'Odd' },
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "Odd": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ],
])('POLICY-1: a PodDisruptionBudget with %o is refused', async (spec, fault) => {
  expect(await createFaults(disruptionBudgets, { spec })).toEqual([fault]);
});

it('POLICY-1: its conditions have a reason', async () => {
  const conditions = [{ type: 'DisruptionAllowed', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  expect(await updateFaults(disruptionBudgets, {}, { status: { conditions } }, 'status')).toEqual([
    'status.conditions[0].reason: Required value',
  ]);
});
