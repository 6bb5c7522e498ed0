import { expect, it } from 'vitest';
import type { BindingSpec } from '../api/bindings.ts';
import { explain } from './explain.ts';
import { binding, member, weighted } from './testing/objects.ts';

const members = [
  member('m3'),
  member('m1'),
  member('m2'),
  member('tainted', { taints: [{ key: 'a', effect: 'NoSchedule' }] }),
  member('alone', { federated: false }),
];

const linesOf = (spec: Partial<BindingSpec>): string[] =>
  explain(binding(spec), members).clusters.map((decision) =>
    decision.is === 'chosen'
      ? `${decision.name} ${decision.replicas ?? 'without replicas'}`
      : `${decision.name}: ${decision.reason}`,
  );

const outside = ['alone: cluster is not federated'];
const tainted = ['tainted: cluster(s) had untolerated taint {a:NoSchedule}'];

it.each<[string, Partial<BindingSpec>, string[]]>([
  ['without replicas', {}, ['m1 without replicas', 'm2 without replicas', 'm3 without replicas']],
  ['Duplicated', { replicas: 2 }, ['m1 2', 'm2 2', 'm3 2']],
  [
    'weights',
    { replicas: 1, placement: { replicaScheduling: weighted({ m1: 1, m2: 1 }) } },
    ['m1 1', 'm2: the division leaves it 0 replicas', 'm3: no weight rule matches it'],
  ],
  [
    'Aggregated has no weight rules',
    {
      replicas: 1,
      placement: { replicaScheduling: { ...weighted({ m1: 1 }), replicaDivisionPreference: 'Aggregated' } },
    },
    ['m1 1', 'm2: the division leaves it 0 replicas', 'm3: the division leaves it 0 replicas'],
  ],
  [
    'a spread constraint',
    { placement: { spreadConstraints: [{ maxGroups: 1 }] } },
    [
      'm1 without replicas',
      'm2: the spread constraint takes other clusters',
      'm3: the spread constraint takes other clusters',
    ],
  ],
  [
    '0 replicas with requests',
    { replicas: 0, replicaRequirements: {} },
    ['m1', 'm2', 'm3'].map((name) => `${name}: the template has 0 replicas`),
  ],
])('FED-39: each cluster has its replicas or a reason: %s', (_, spec, expected) => {
  expect(linesOf(spec)).toEqual([...outside, ...expected, ...tainted]);
});

it('FED-39: when too few clusters fit, the reason is the same for all candidates', () => {
  const { result, clusters } = explain(binding({ placement: { spreadConstraints: [{ minGroups: 4 }] } }), members);
  expect(result.is).toBe('unschedulable');
  expect(clusters.filter((one) => one.is === 'notChosen' && one.reason.includes('MinGroups'))).toHaveLength(3);
});

it('FED-39: when nothing fits, each cluster has its own reason', () => {
  const { result, clusters } = explain(binding(), members.slice(3));
  expect(result).toEqual({
    is: 'noFit',
    message: '0/1 clusters are available: 1 cluster(s) had untolerated taint {a:NoSchedule}.',
  });
  expect(clusters.map(({ name, is }) => [name, is])).toEqual([
    ['alone', 'notChosen'],
    ['tainted', 'notChosen'],
  ]);
});
