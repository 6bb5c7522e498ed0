import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BindingSpec, TargetCluster } from '../api/bindings.ts';
import type { Placement } from '../api/policies.ts';
import { type ScheduleOptions, schedule } from './schedule.ts';
import { binding, deployment, member, weighted } from './testing/objects.ts';

const three = [member('m3'), member('m1'), member('m2')];

function targets(spec: Partial<BindingSpec>, members = three, options?: ScheduleOptions): TargetCluster[] {
  const result = schedule(binding(spec), members, options);
  if (result.is !== 'scheduled') throw new Error(result.message);
  return result.clusters;
}
const text = (clusters: readonly TargetCluster[]): string =>
  clusters.map(({ name, replicas }) => (replicas === undefined ? name : `${name}:${replicas}`)).join(' ');

const requests = { replicaRequirements: { resourceRequest: { cpu: '1' } } };
const divided: Placement = { replicaScheduling: { replicaSchedulingType: 'Divided' } };
const zeroUid = { ...deployment, uid: 'a' };

describe('FED-5: replicas of the chosen clusters', () => {
  it.each<[string, Partial<BindingSpec>, string]>([
    ['no replicaScheduling is Duplicated', { replicas: 2 }, 'm1:2 m2:2 m3:2'],
    [
      'Duplicated ignores weights',
      {
        replicas: 2,
        placement: { replicaScheduling: { ...weighted({ m1: 1 }), replicaSchedulingType: 'Duplicated' } },
      },
      'm1:2 m2:2 m3:2',
    ],
    ['without a type it is Divided', { replicas: 3, placement: { replicaScheduling: {} } }, 'm1:1 m2:1 m3:1'],
    [
      '12 by 3:2:1',
      { replicas: 12, placement: { replicaScheduling: weighted({ m1: 3, m2: 2, m3: 1 }) } },
      'm1:6 m2:4 m3:2',
    ],
    [
      'clusters no rule names get none',
      { replicas: 4, placement: { replicaScheduling: weighted({ m1: 1, m3: 1 }) } },
      'm1:2 m3:2',
    ],
    ['no rule matches', { replicas: 3, placement: { replicaScheduling: weighted({ other: 5 }) } }, 'm1:1 m2:1 m3:1'],
    ['clusters with 0 are left out', { replicas: 2, placement: divided }, 'm1:1 m2:1'],
    [
      'an odd uid favours later names',
      { replicas: 2, placement: divided, resource: { ...deployment, uid: 'b' } },
      'm2:1 m3:1',
    ],
    ['an even uid favours earlier names', { replicas: 2, placement: divided, resource: zeroUid }, 'm1:1 m2:1'],
    ['no workload goes everywhere without replicas', {}, 'm1 m2 m3'],
    ['0 replicas without requests, Divided', { replicas: 0, placement: divided }, 'm1 m2 m3'],
    ['0 replicas with requests, Divided', { replicas: 0, placement: divided, ...requests }, ''],
    ['0 replicas with requests, Duplicated', { replicas: 0, ...requests }, ''],
    ['several components are not divided', { replicas: 3, placement: divided, components: [{}, {}] }, 'm1 m2 m3'],
    [
      'dynamic weights count all clusters alike',
      {
        replicas: 3,
        placement: {
          replicaScheduling: {
            replicaSchedulingType: 'Divided',
            weightPreference: { dynamicWeight: 'AvailableReplicas' },
          },
        },
      },
      'm1:1 m2:1 m3:1',
    ],
    [
      'Aggregated counts all clusters alike',
      {
        replicas: 3,
        placement: {
          replicaScheduling: { ...weighted({ m1: 9 }), replicaDivisionPreference: 'Aggregated' },
        },
      },
      'm1:1 m2:1 m3:1',
    ],
  ])('FED-5: %s', (_, spec, expected) => {
    expect(text(targets(spec))).toBe(expected);
  });

  it('FED-5: of several matching rules the largest weight counts', () => {
    const labelled = [member('m1', { labels: { size: 'big' } }), member('m2')];
    const rule = (weight: number, targetCluster: object) => ({ weight, targetCluster });
    const staticWeightList = [
      rule(3, { labelSelector: { matchLabels: { size: 'big' } } }),
      rule(1, { clusterNames: ['m1', 'm2'] }),
      rule(2, { clusterNames: ['m1'] }),
      rule(8, { clusterNames: ['m2'], labelSelector: { matchLabels: { size: 'big' } } }),
    ];
    const placement = { replicaScheduling: { weightPreference: { staticWeightList } } };
    expect(text(targets({ replicas: 4, placement }, labelled))).toBe('m1:3 m2:1');
  });

  it('FED-5: with empty workloads kept, clusters without replicas stay, at 0', () => {
    const keep = { emptyWorkloads: true };
    expect(text(targets({ replicas: 0, ...requests }, three, keep))).toBe('m1:0 m2:0 m3:0');
    expect(text(targets({ replicas: 1, placement: divided }, three, keep))).toBe('m1:1 m2:0 m3:0');
    expect(text(targets({}, three, keep))).toBe('m1 m2 m3');
  });
});

describe('FED-4: nothing fits', () => {
  it('FED-4: no candidate', () => {
    const placement = { clusterAffinity: { clusterNames: ['other'] } };
    expect(schedule(binding({ placement }), three)).toEqual({
      is: 'noFit',
      message: '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.',
    });
  });
});

describe('FED-21: spreading by cluster', () => {
  const spread = (minGroups: number, maxGroups: number): Placement => ({
    spreadConstraints: [{ spreadByField: 'cluster', minGroups, maxGroups }],
  });

  it.each<[string, Partial<BindingSpec>, string]>([
    ['the first by name', { placement: spread(1, 2) }, 'm1 m2'],
    ['those already chosen first', { placement: spread(1, 2), clusters: [{ name: 'm3' }] }, 'm1 m3'],
    ['0 is no limit', { placement: spread(1, 0) }, 'm1 m2 m3'],
    ['a constraint without a field', { placement: { spreadConstraints: [{ maxGroups: 1 }] } }, 'm1'],
    [
      'not with static weights',
      { replicas: 3, placement: { ...spread(1, 1), replicaScheduling: weighted({ m1: 1, m2: 1, m3: 1 }) } },
      'm1:1 m2:1 m3:1',
    ],
  ])('FED-21: %s', (_, spec, expected) => {
    expect(text(targets(spec))).toBe(expected);
  });

  it('FED-21: fewer clusters than minGroups keep the old result', () => {
    expect(schedule(binding({ placement: spread(4, 5) }), three)).toEqual({
      is: 'unschedulable',
      reason: 'SchedulerError',
      message: 'failed to select clusters: the number of feasible clusters is less than spreadConstraint.MinGroups',
    });
  });
});

describe('FED-5: a schedule as properties', () => {
  const names = Array.from({ length: 8 }, (_, index) => `m${index}`);
  const members = names.map((name) => member(name));
  const weights = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 9 }), { noNullPrototype: true });
  const arbitrarySpec = fc.record({
    replicas: fc.integer({ min: 1, max: 60 }),
    placement: weights.map((each) => ({ replicaScheduling: weighted(each) })),
    resource: fc.constantFrom('', 'a', 'b').map((uid) => ({ ...deployment, uid })),
  });

  it('FED-5: the sum is exact and no cluster has 0', () => {
    fc.assert(
      fc.property(arbitrarySpec, (spec) => {
        const clusters = targets(spec, members);
        expect(clusters.reduce((sum, { replicas }) => sum + replicas!, 0)).toBe(spec.replicas);
        expect(clusters.every(({ replicas }) => replicas! > 0)).toBe(true);
      }),
    );
  });

  it('FED-5: neither the order of clusters nor an earlier result matters, and arguments stay as they are', () => {
    fc.assert(
      fc.property(arbitrarySpec, fc.shuffledSubarray(members, { minLength: members.length }), (spec, shuffled) => {
        const before = structuredClone([spec, shuffled]);
        const first = targets(spec, shuffled);
        expect([spec, shuffled]).toEqual(before);
        expect(first).toEqual(targets(spec, members));
        expect(targets({ ...spec, clusters: first }, shuffled)).toEqual(first);
      }),
    );
  });
});
