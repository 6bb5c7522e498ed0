import { expect, it } from 'vitest';
import { sketchPod } from '../testing/pods.ts';
import { clockAt } from '../testing/scaled-time.ts';
import { type DisruptionBudget, disruptedPods, disruptionStatus, expectedPods } from './disruption-budget.ts';

const clock = clockAt('2026-01-01T00:10:00Z');
const ready = '2026-01-01T00:00:00Z';

const budget = (spec: DisruptionBudget['spec'], disrupted?: Record<string, string>): DisruptionBudget => ({
  metadata: { name: 'b', generation: 1 },
  spec,
  status: {
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...(disrupted ? { disruptedPods: disrupted } : {}),
  },
});

it.each([
  [{ minAvailable: 2 }, 5, 9, { expected: 5, desired: 2 }],
  [{ minAvailable: '50%' }, 5, 9, { expected: 9, desired: 5 }],
  [{ maxUnavailable: 1 }, 5, 9, { expected: 9, desired: 8 }],
  [{ maxUnavailable: '30%' }, 5, 9, { expected: 9, desired: 6 }],
  [{ maxUnavailable: 20 }, 5, 9, { expected: 9, desired: 0 }],
])('%j of %i pods and a scale of %i', (spec, pods, scale, expected) => {
  expect(expectedPods(budget(spec), pods, scale)).toEqual(expected);
});

it('does not count pods whose eviction was allowed, until it took too long', () => {
  const one = budget({ minAvailable: 1 }, { a: '2026-01-01T00:09:30Z', b: '2026-01-01T00:01:00Z', gone: ready });
  const pods = ['a', 'b', 'c'].map((name) => sketchPod(name, { ready }));
  const { pods: disrupted, recheck, notDeleted } = disruptedPods(one, pods, clock);
  expect([disrupted, recheck, notDeleted.map(({ metadata }) => metadata.name)]).toEqual([
    { a: '2026-01-01T00:09:30Z' },
    90_000,
    ['b'],
  ]);
  expect(disruptionStatus(one, pods, { expected: 3, desired: 1 }, disrupted, clock)).toMatchObject({
    currentHealthy: 2,
    disruptionsAllowed: 1,
    disruptedPods: disrupted,
  });
});

it('counts a pod whose name every object knows', () => {
  const one = budget({ minAvailable: 1 }, {});
  const pods = [sketchPod('constructor', { ready })];
  const { pods: disrupted } = disruptedPods(one, pods, clock);
  expect(disrupted).toEqual({});
  expect(disruptionStatus(one, pods, { expected: 1, desired: 0 }, disrupted, clock)).toMatchObject({
    currentHealthy: 1,
    disruptionsAllowed: 1,
  });
});
