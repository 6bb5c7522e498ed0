import { describe, expect, it } from 'vitest';
import type { PropagationSpec } from '../api/policies.ts';
import { unhonouredWarnings } from './unhonoured.ts';

const warnings = (spec: Partial<PropagationSpec>) =>
  unhonouredWarnings({ metadata: { name: 'p' }, spec: { resourceSelectors: [], ...spec } });

describe('warnings', () => {
  it.each<[string, Partial<PropagationSpec>]>([
    ['nothing', {}],
    [
      'what is honoured',
      {
        preemption: 'Never',
        association: false,
        priority: 1,
        propagateDeps: true,
        placement: {
          clusterAffinities: [{ affinityName: 'a' }],
          spreadConstraints: [{ spreadByField: 'cluster' }],
          replicaScheduling: { weightPreference: { staticWeightList: [{ targetCluster: {}, weight: 1 }] } },
        },
      },
    ],
    [
      'a division of what is duplicated',
      {
        placement: {
          replicaScheduling: { replicaSchedulingType: 'Duplicated', replicaDivisionPreference: 'Aggregated' },
        },
      },
    ],
    [
      'a dynamic weight of what is duplicated',
      {
        placement: {
          replicaScheduling: {
            replicaSchedulingType: 'Duplicated',
            weightPreference: { dynamicWeight: 'AvailableReplicas' },
          },
        },
      },
    ],
  ])('FED-1: none of %s', (_what, spec) => {
    expect(warnings(spec)).toEqual([]);
  });

  it.each<[string, Partial<PropagationSpec>]>([
    ['spec.preemption', { preemption: 'Always' }],
    ['spec.activationPreference', { activationPreference: 'Lazy' }],
    ['spec.failover', { failover: { cluster: {} } }],
    ['spec.schedulePriority', { schedulePriority: { priorityClassName: 'a' } }],
    ['spec.association', { association: true }],
    [
      'spec.placement.clusterAffinities',
      { placement: { clusterAffinities: [{ affinityName: 'a' }, { affinityName: 'b' }] } },
    ],
    [
      'spec.placement.replicaScheduling.weightPreference.dynamicWeight',
      { placement: { replicaScheduling: { weightPreference: { dynamicWeight: 'AvailableReplicas' } } } },
    ],
    [
      'spec.placement.replicaScheduling.replicaDivisionPreference: Aggregated',
      { placement: { replicaScheduling: { replicaDivisionPreference: 'Aggregated' } } },
    ],
    [
      'spec.placement.spreadConstraints by region, zone or provider',
      { placement: { spreadConstraints: [{ spreadByField: 'cluster' }, { spreadByField: 'zone' }] } },
    ],
    ['spec.placement.spreadConstraints by label', { placement: { spreadConstraints: [{ spreadByLabel: 'rack' }] } }],
  ])('FED-1: of %s', (field, spec) => {
    expect(warnings(spec)).toEqual([expect.stringMatching(/^.* is stored but not honoured yet: .+$/)]);
    expect(warnings(spec)[0]!.startsWith(`${field} is stored`)).toBe(true);
  });
});
