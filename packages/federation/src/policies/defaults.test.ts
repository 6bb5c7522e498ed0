import { describe, expect, it } from 'vitest';
import type { Placement, PropagationPolicy, ReplicaScheduling } from '../api/policies.ts';
import { overrideWithDefaults, replicaSchedulingOf, withDefaults } from './defaults.ts';

const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' };
const policy = (spec: Partial<PropagationPolicy['spec']> = {}, namespace?: string): PropagationPolicy => ({
  metadata: { name: 'p', ...(namespace ? { namespace } : {}) },
  spec: { resourceSelectors: [deployments], ...spec },
});

describe('defaults', () => {
  it.each<[string, ReplicaScheduling | undefined, string, string]>([
    ['no replicaScheduling', undefined, 'Duplicated', 'Weighted'],
    ['one without a type', {}, 'Divided', 'Weighted'],
    ['a preference alone', { replicaDivisionPreference: 'Aggregated' }, 'Divided', 'Aggregated'],
    ['a type', { replicaSchedulingType: 'Duplicated' }, 'Duplicated', 'Weighted'],
  ])('FED-2: %s', (_what, replicaScheduling, type, preference) => {
    const placement: Placement = replicaScheduling ? { replicaScheduling } : {};
    expect(replicaSchedulingOf(placement)).toMatchObject({
      replicaSchedulingType: type,
      replicaDivisionPreference: preference,
    });
  });

  it('FED-2: of a policy without any of these fields', () => {
    expect(withDefaults(policy()).spec).toEqual({
      resourceSelectors: [deployments],
      placement: {},
      priority: 0,
      conflictResolution: 'Abort',
      schedulerName: 'default-scheduler',
    });
  });

  it('FED-2: nothing that is given is changed', () => {
    const given = policy(
      {
        resourceSelectors: [{ ...deployments, namespace: 'shop' }],
        placement: {
          spreadConstraints: [{ spreadByField: 'region', minGroups: 2, maxGroups: 3 }],
          replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
        },
        priority: -1,
        conflictResolution: 'Overwrite',
        schedulerName: 'mine',
      },
      'shop',
    );
    expect(withDefaults(given)).toEqual(given);
    const twice = withDefaults(withDefaults(policy({ placement: { replicaScheduling: {} } }, 'shop')));
    expect(twice).toEqual(withDefaults(policy({ placement: { replicaScheduling: {} } }, 'shop')));
  });

  it('FED-2: a selector has the namespace of its policy, of a cluster policy none', () => {
    const resourceSelectors = [deployments, { ...deployments, namespace: '' }];
    const inShop = { ...deployments, namespace: 'shop' };
    expect(withDefaults(policy({ resourceSelectors }, 'shop')).spec.resourceSelectors).toEqual([inShop, inShop]);
    expect(withDefaults(policy({ resourceSelectors })).spec.resourceSelectors).toEqual(resourceSelectors);
    const metadata = { name: 'o', namespace: 'shop' };
    expect(overrideWithDefaults({ metadata, spec: { resourceSelectors } }).spec.resourceSelectors).toEqual([
      inShop,
      inShop,
    ]);
    expect(overrideWithDefaults({ metadata, spec: {} })).toEqual({ metadata, spec: {} });
  });

  it('FED-2: constraints are by cluster and of one group', () => {
    const spreadConstraints = [{}, { minGroups: 0, maxGroups: 0 }, { spreadByLabel: 'rack' }];
    expect(withDefaults(policy({ placement: { spreadConstraints } })).spec.placement.spreadConstraints).toEqual([
      { spreadByField: 'cluster', minGroups: 1 },
      { spreadByField: 'cluster', minGroups: 1, maxGroups: 0 },
      { spreadByLabel: 'rack', minGroups: 1 },
    ]);
  });

  it('FED-2: Duplicated gets no preference', () => {
    const placement: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };
    expect(withDefaults(policy({ placement })).spec.placement).toEqual(placement);
  });

  it('FED-11: ServiceImports bring their dependencies', () => {
    const serviceImport = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' };
    expect(withDefaults(policy({ resourceSelectors: [serviceImport] })).spec.propagateDeps).toBe(true);
  });
});
