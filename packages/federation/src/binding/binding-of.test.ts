import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import type { Claim } from '../claim/claim-marks.ts';
import { bindingName } from '../work/work-name.ts';
import { bindingOf } from './binding-of.ts';

const deployment: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'nginx', namespace: 'shop', uid: 'u', resourceVersion: '7', labels: { app: 'nginx' } },
  spec: { replicas: 3 },
};
const role: AnyObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'system:foo', uid: 'r' },
};
const policy = (spec: Partial<PropagationPolicy['spec']> = {}): PropagationPolicy => ({
  metadata: { name: 'p', namespace: 'shop' },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], ...spec },
});
const claim: Claim = { by: 'namespaced', id: 'pid', namespace: 'shop', name: 'p' };
const made = (spec: Partial<PropagationPolicy['spec']>, more: object = {}) =>
  bindingOf({ template: deployment, policy: policy(spec), claim, permanentId: 'bid', ...more });

describe('the binding of a template', () => {
  it.each([
    ['Deployment', 'nginx', 'nginx-deployment'],
    ['ClusterRole', 'system:foo:bar', 'system.foo.bar-clusterrole'],
    ['Foo', 'Upper', 'upper-foo'],
  ])('FED-1: of %s %s is %s', (kind, name, expected) => {
    expect(bindingName(kind, name)).toBe(expected);
  });

  it('FED-1: is owned by the template, claimed as it is, and finalized', () => {
    const replicas = { replicas: 3, requirements: { resourceRequest: { cpu: '1' } } };
    expect(made({ placement: { clusterAffinity: { clusterNames: ['m1'] } } }, { replicas })).toEqual({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name: 'nginx-deployment',
        namespace: 'shop',
        labels: {
          'propagationpolicy.karmada.io/permanent-id': 'pid',
          'resourcebinding.karmada.io/permanent-id': 'bid',
        },
        annotations: { 'propagationpolicy.karmada.io/namespace': 'shop', 'propagationpolicy.karmada.io/name': 'p' },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'nginx',
            uid: 'u',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
        finalizers: ['karmada.io/binding-controller'],
      },
      spec: {
        resource: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace: 'shop',
          name: 'nginx',
          uid: 'u',
          resourceVersion: '7',
        },
        replicas: 3,
        replicaRequirements: { resourceRequest: { cpu: '1' } },
        schedulerName: 'default-scheduler',
        placement: { clusterAffinity: { clusterNames: ['m1'] } },
        conflictResolution: 'Abort',
      },
    });
  });

  it('FED-1: of a cluster-scoped template is a ClusterResourceBinding', () => {
    const ofCluster = { metadata: { name: 'c' }, spec: policy().spec };
    const binding = bindingOf({
      template: role,
      policy: ofCluster,
      claim: { by: 'cluster', id: 'cid', name: 'c' },
      permanentId: 'bid',
    });
    expect(binding).toMatchObject({ kind: 'ClusterResourceBinding', spec: { placement: {} } });
    expect(binding.metadata).toEqual({
      name: 'system.foo-clusterrole',
      labels: {
        'clusterpropagationpolicy.karmada.io/permanent-id': 'cid',
        'clusterresourcebinding.karmada.io/permanent-id': 'bid',
      },
      annotations: { 'clusterpropagationpolicy.karmada.io/name': 'c' },
      ownerReferences: [expect.objectContaining({ kind: 'ClusterRole', name: 'system:foo', uid: 'r' })],
      finalizers: ['karmada.io/cluster-resource-binding-controller'],
    });
    expect(binding.spec.resource).toEqual({
      apiVersion: role.apiVersion,
      kind: 'ClusterRole',
      name: 'system:foo',
      uid: 'r',
    });
  });

  it('FED-2: of a cluster policy in a namespace is a ResourceBinding with the marks of the cluster policy', () => {
    const binding = made({}, { claim: { by: 'cluster', id: 'cid', name: 'c' } });
    expect(binding.kind).toBe('ResourceBinding');
    expect(binding.metadata.labels).toEqual({
      'clusterpropagationpolicy.karmada.io/permanent-id': 'cid',
      'resourcebinding.karmada.io/permanent-id': 'bid',
    });
  });

  it('FED-2: has what the policy decides', () => {
    const decided = {
      propagateDeps: true,
      schedulerName: 'mine',
      conflictResolution: 'Overwrite',
      preserveResourcesOnDeletion: false,
      suspension: { dispatching: true },
      failover: { application: { decisionConditions: {} } },
    } as const;
    expect(made(decided).spec).toEqual({ resource: expect.anything(), placement: {}, ...decided });
  });

  it('FED-2: has not what stays in the policy', () => {
    const { spec } = made({ priority: 3, dependentOverrides: ['o'], preemption: 'Never', propagateDeps: false });
    expect(Object.keys(spec).sort()).toEqual(['conflictResolution', 'placement', 'resource', 'schedulerName']);
  });

  it('FED-5: 0 replicas are left out, as in Karmada', () => {
    expect(made({}, { replicas: { replicas: 0 } }).spec).not.toHaveProperty('replicas');
  });

  it('FED-2: has the placement with its defaults', () => {
    const placement = { replicaScheduling: {}, spreadConstraints: [{ maxGroups: 2 }] };
    expect(made({ placement }).spec.placement).toEqual({
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }],
    });
  });
});
