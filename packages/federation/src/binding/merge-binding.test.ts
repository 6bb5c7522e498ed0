import { describe, expect, it } from 'vitest';
import type { Binding, BindingSpec } from '../api/bindings.ts';
import { belongsToAnother, mergeBinding } from './merge-binding.ts';

const namespacedId = 'propagationpolicy.karmada.io/permanent-id';
const clusterId = 'clusterpropagationpolicy.karmada.io/permanent-id';
const owner = (uid: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx', uid, controller: true });

const desired = (spec: Partial<BindingSpec> = {}, metadata: Partial<Binding['metadata']> = {}): Binding => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: {
    name: 'nginx-deployment',
    namespace: 'shop',
    labels: { [namespacedId]: 'pid', 'resourcebinding.karmada.io/permanent-id': 'new' },
    annotations: { 'propagationpolicy.karmada.io/namespace': 'shop', 'propagationpolicy.karmada.io/name': 'p' },
    ownerReferences: [owner('u')],
    finalizers: ['karmada.io/binding-controller'],
    ...metadata,
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
    schedulerName: 'default-scheduler',
    placement: {},
    conflictResolution: 'Abort',
    ...spec,
  },
});

/** As it is after others have written into it. */
const existing = (spec: Partial<BindingSpec> = {}, metadata: Partial<Binding['metadata']> = {}): Binding => {
  const made = desired(spec);
  return {
    ...made,
    metadata: {
      ...made.metadata,
      uid: 'b',
      resourceVersion: '9',
      labels: { ...made.metadata.labels, 'resourcebinding.karmada.io/permanent-id': 'old', team: 'a' },
      annotations: { ...made.metadata.annotations, 'policy.karmada.io/applied-placement': '{}' },
      finalizers: ['karmada.io/binding-controller', 'karmada.io/binding-dependencies-distributor'],
      ...metadata,
    },
    status: { schedulerObservedGeneration: 2 },
  };
};

describe('a binding that exists', () => {
  it('FED-17: is the same object if nothing changes', () => {
    const spec: Partial<BindingSpec> = {
      clusters: [{ name: 'm1', replicas: 3 }],
      requiredBy: [{ name: 'parent' }],
      gracefulEvictionTasks: [{ fromCluster: 'm2' }],
      suspension: { scheduling: true },
      rescheduleTriggeredAt: '2026-01-01T00:00:00Z',
    };
    const known = existing(spec);
    expect(mergeBinding(known, desired())).toBe(known);
  });

  it('FED-3: takes what the policy decides, and keeps what others wrote', () => {
    const kept = {
      clusters: [{ name: 'm1', replicas: 3 }],
      requiredBy: [{ name: 'parent' }],
      gracefulEvictionTasks: [{ fromCluster: 'm2' }],
    };
    const known = existing({ ...kept, failover: {}, propagateDeps: true, preserveResourcesOnDeletion: true });
    const merged = mergeBinding(known, desired({ replicas: 5, conflictResolution: 'Overwrite' }));
    expect(merged.spec).toEqual({ ...desired({ replicas: 5, conflictResolution: 'Overwrite' }).spec, ...kept });
    expect(merged.status).toBe(known.status);
    expect(merged.metadata).toEqual(known.metadata);
    expect(known.spec.replicas).toBe(3);
  });

  it('FED-15: keeps its permanent id, and gets one if it has none', () => {
    const id = 'resourcebinding.karmada.io/permanent-id';
    expect(mergeBinding(existing(), desired({ replicas: 5 })).metadata.labels?.[id]).toBe('old');
    const without = existing({}, { labels: { [namespacedId]: 'pid' } });
    expect(mergeBinding(without, desired()).metadata.labels?.[id]).toBe('new');
  });

  it('FED-3: has the marks of one kind of policy only', () => {
    const claimed = existing(
      {},
      {
        labels: { [clusterId]: 'cid', team: 'a', 'resourcebinding.karmada.io/permanent-id': 'old' },
        annotations: { 'clusterpropagationpolicy.karmada.io/name': 'c', note: 'n' },
      },
    );
    expect(mergeBinding(claimed, desired()).metadata).toMatchObject({
      labels: { [namespacedId]: 'pid', team: 'a', 'resourcebinding.karmada.io/permanent-id': 'old' },
      annotations: { note: 'n', 'propagationpolicy.karmada.io/name': 'p' },
    });
    expect(mergeBinding(claimed, desired()).metadata.labels).not.toHaveProperty([clusterId]);
    expect(mergeBinding(claimed, desired()).metadata.annotations).not.toHaveProperty([
      'clusterpropagationpolicy.karmada.io/name',
    ]);
  });

  it('FED-3: one without a claim is claimed again', () => {
    const released = existing(
      { clusters: [{ name: 'm1' }] },
      { labels: { 'resourcebinding.karmada.io/permanent-id': 'old' }, annotations: {} },
    );
    const merged = mergeBinding(released, desired());
    expect(merged.metadata.labels?.[namespacedId]).toBe('pid');
    expect(merged.spec.clusters).toEqual([{ name: 'm1' }]);
  });

  it.each<[string, BindingSpec['suspension'], BindingSpec['suspension'], BindingSpec['suspension']]>([
    ['begins', undefined, { dispatching: true }, { dispatching: true }],
    ['ends', { dispatching: true }, undefined, undefined],
    [
      'changes',
      { dispatching: true },
      { dispatchingOnClusters: { clusterNames: ['m1'] } },
      { dispatchingOnClusters: { clusterNames: ['m1'] } },
    ],
    [
      'begins beside the binding’s own',
      { scheduling: true },
      { dispatching: true },
      { dispatching: true, scheduling: true },
    ],
    ['ends beside the binding’s own', { scheduling: false, dispatching: true }, undefined, { scheduling: false }],
  ])('FED-20: a suspension %s', (_what, before, given, after) => {
    const known = existing(before ? { suspension: before } : {});
    expect(mergeBinding(known, desired(given ? { suspension: given } : {})).spec.suspension).toEqual(after);
  });

  it('FED-9: keeps the finalizers of others, and gets ours back', () => {
    const known = existing({}, { finalizers: ['karmada.io/binding-dependencies-distributor'] });
    expect(mergeBinding(known, desired()).metadata.finalizers).toEqual([
      'karmada.io/binding-dependencies-distributor',
      'karmada.io/binding-controller',
    ]);
  });

  it('FED-9: is left alone while it is being deleted', () => {
    const known = existing({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(mergeBinding(known, desired({ replicas: 5 }))).toBe(known);
  });

  it('FED-1: follows the template’s version', () => {
    const resource = { ...desired().spec.resource, resourceVersion: '8' };
    expect(mergeBinding(existing(), desired({ resource })).spec.resource.resourceVersion).toBe('8');
  });

  it.each([
    ['the same template', [owner('u')], false],
    ['an earlier template of that name', [owner('before')], true],
    ['nobody', [], false],
    ['others that are no controller', [{ ...owner('x'), controller: false }], false],
  ])('FED-1: that is owned by %s', (_what, ownerReferences, isAnothers) => {
    expect(belongsToAnother(existing({}, { ownerReferences }), desired())).toBe(isAnothers);
  });
});
