import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Binding, BindingSnapshot, BindingSpec, TargetCluster } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { bindingOf } from '../binding/binding-of.ts';
import { mergeBinding } from '../binding/merge-binding.ts';
import { attach, detach, isAttached, newAttached, type ParentNamed } from './attached-binding.ts';

const secret: AnyObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tls', namespace: 'shop', uid: 's', resourceVersion: '5' },
};

const parent = (name: string, clusters: TargetCluster[], spec: Partial<BindingSpec> = {}): Binding => ({
  metadata: { name, namespace: 'shop', labels: { 'resourcebinding.karmada.io/permanent-id': `id of ${name}` } },
  spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name }, clusters, ...spec },
});

const among =
  (parents: readonly Binding[]): ParentNamed =>
  ({ namespace, name }) =>
    parents.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);

const madeBy = (...parents: Binding[]): Binding =>
  parents.reduce((binding, one) => attach(binding, secret, one, among(parents)), newAttached(secret, 'permanent'));

const a = parent('a-deployment', [{ name: 'm1', replicas: 2 }]);
const b = parent('b-deployment', [{ name: 'm2' }, { name: 'm3' }]);

const policy = { metadata: { name: 'p', namespace: 'shop' }, spec: { resourceSelectors: [], placement: {} } };
const claimed = bindingOf({
  template: secret,
  policy,
  claim: { by: 'namespaced', id: 'pid', namespace: 'shop', name: 'p' },
  permanentId: 'permanent',
});

describe('FED-11: the binding of a dependent', () => {
  it('has no placement, names its parents with their clusters, and is owned by the dependent', () => {
    expect(madeBy(b, a)).toEqual({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name: 'tls-secret',
        namespace: 'shop',
        labels: {
          'resourcebinding.karmada.io/permanent-id': 'permanent',
          'resourcebinding.karmada.io/depended-by-9dd4f4f8c': 'id of a-deployment',
          'resourcebinding.karmada.io/depended-by-647746c68d': 'id of b-deployment',
        },
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Secret', name: 'tls', uid: 's', controller: true, blockOwnerDeletion: true },
        ],
        finalizers: ['karmada.io/binding-controller'],
      },
      spec: {
        resource: { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'tls', uid: 's', resourceVersion: '5' },
        requiredBy: [
          { namespace: 'shop', name: 'a-deployment', clusters: [{ name: 'm1', replicas: 2 }] },
          { namespace: 'shop', name: 'b-deployment', clusters: [{ name: 'm2' }, { name: 'm3' }] },
        ],
        conflictResolution: 'Abort',
        preserveResourcesOnDeletion: false,
      },
    });
  });

  it('FED-1: of a cluster-scoped dependent is a ClusterResourceBinding', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'a:b', uid: 'r' },
    };
    const { kind, metadata } = newAttached(role, 'permanent');
    expect([kind, metadata.name, metadata.namespace]).toEqual(['ClusterResourceBinding', 'a.b-clusterrole', undefined]);
    expect(metadata.finalizers).toEqual(['karmada.io/cluster-resource-binding-controller']);
    expect(metadata.labels).toEqual({ 'clusterresourcebinding.karmada.io/permanent-id': 'permanent' });
  });

  it('is the same object where nothing changes', () => {
    const known = madeBy(a, b);
    expect(attach(known, secret, a, among([a, b]))).toBe(known);
    expect(detach(known, { namespace: 'shop', name: 'c-deployment' }, among([a, b]))).toBe(known);
  });

  it('follows the clusters of a parent', () => {
    const moved = parent('a-deployment', [{ name: 'm9' }]);
    const known = madeBy(a, b);
    expect(isAttached(known, a)).toBe(true);
    expect(isAttached(known, moved)).toBe(false);
    const after = attach(known, secret, moved, among([moved, b]));
    expect(after.spec.requiredBy?.map(({ clusters }) => clusters?.map(({ name }) => name))).toEqual([
      ['m9'],
      ['m2', 'm3'],
    ]);
    expect(isAttached(after, moved)).toBe(true);
  });

  it('FED-15: names a parent by its permanent id', () => {
    const restored = {
      ...a,
      metadata: { ...a.metadata, labels: { 'resourcebinding.karmada.io/permanent-id': 'new' } },
    };
    expect(isAttached(madeBy(a), restored)).toBe(false);
  });

  it.each<[string, Partial<BindingSpec>, Partial<BindingSpec>, [string, boolean]]>([
    ['both silent', {}, {}, ['Abort', false]],
    ['one overwrites', { conflictResolution: 'Overwrite' }, { conflictResolution: 'Abort' }, ['Overwrite', false]],
    ['one preserves', {}, { preserveResourcesOnDeletion: true }, ['Abort', true]],
  ])('takes over what its parents ask for: %s', (_what, first, second, expected) => {
    const parents = [parent('a-deployment', [], first), parent('b-deployment', [], second)];
    for (const order of [parents, parents.toReversed()]) {
      const { conflictResolution, preserveResourcesOnDeletion } = madeBy(...order).spec;
      expect([conflictResolution, preserveResourcesOnDeletion]).toEqual(expected);
    }
  });

  it('takes over what a parent asks for now, also where the copy of it is older', () => {
    const now = parent('a-deployment', [], { conflictResolution: 'Overwrite' });
    expect(attach(madeBy(a), secret, now, among([a])).spec.conflictResolution).toBe('Overwrite');
  });

  it('goes with its last parent', () => {
    const left = detach(madeBy(a, b), a.metadata, among([b]));
    expect(left).toEqual(madeBy(b));
    expect(detach(left!, b.metadata, among([]))).toBeUndefined();
  });

  it('that has a policy of its own has the union, and keeps its claim', () => {
    const united = attach(claimed, secret, a, among([a]));
    expect(united.spec).toEqual({ ...claimed.spec, requiredBy: madeBy(a).spec.requiredBy });
    expect(united.metadata.labels).toMatchObject({ 'propagationpolicy.karmada.io/permanent-id': 'pid' });
    expect(detach(united, a.metadata, among([]))).toEqual(claimed);
  });

  it('FED-3: that was released by its policy keeps its clusters without parents', () => {
    const { labels: _labels, ...metadata } = claimed.metadata;
    const released: Binding = { ...claimed, metadata, spec: { ...claimed.spec, clusters: [{ name: 'm1' }] } };
    expect(detach(attach(released, secret, a, among([a])), a.metadata, among([]))?.spec).toEqual(released.spec);
  });
});

type Step = { is: 'add' | 'remove'; name: string; clusters: string[]; spec: Partial<BindingSpec> } | { is: 'claim' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Step>({ is: 'claim' }) },
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constantFrom('add' as const, 'remove' as const),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      clusters: fc.uniqueArray(fc.constantFrom('m1', 'm2', 'm3'), { minLength: 1 }),
      spec: fc.record({
        conflictResolution: fc.constantFrom<('Abort' | 'Overwrite')[]>('Abort', 'Overwrite'),
        preserveResourcesOnDeletion: fc.boolean(),
      }),
    }),
  },
);

/** As the controllers do it: a parent that changes is written anew, and what was deleted is made again. */
function afterSteps(steps: readonly Step[]) {
  const parents = new Map<string, Binding>();
  const parentNamed: ParentNamed = ({ name }: BindingSnapshot) => parents.get(name);
  let binding: Binding | undefined;
  let isClaimed = false;
  for (const one of steps) {
    if (one.is === 'claim') {
      isClaimed = true;
      binding = binding ? mergeBinding(binding, claimed) : claimed;
      continue;
    }
    const now = parent(
      one.name,
      one.clusters.map((name) => ({ name })),
      one.spec,
    );
    if (one.is === 'add') {
      parents.set(one.name, now);
      binding = attach(binding ?? newAttached(secret, 'permanent'), secret, now, parentNamed);
    } else {
      parents.delete(one.name);
      binding &&= detach(binding, now.metadata, parentNamed);
    }
  }
  return { binding, parents: [...parents.values()], isClaimed };
}

describe('FED-11: parents that come and go', () => {
  it('in any order end in the same binding', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const { binding, parents, isClaimed } = afterSteps(steps);
        if (parents.length === 0 && !isClaimed) {
          expect(binding).toBeUndefined();
          return;
        }
        const anew = parents.reduceRight<Binding>(
          (made, one) => attach(made, secret, one, among(parents)),
          isClaimed ? claimed : newAttached(secret, 'permanent'),
        );
        // What a policy decides is its own, whoever came first.
        expect(binding).toEqual(anew);
      }),
      { numRuns: 300 },
    );
  });
});
