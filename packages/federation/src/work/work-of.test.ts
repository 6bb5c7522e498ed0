import { describe, expect, test } from 'vitest';
import type { Binding, BindingSpec } from '../api/bindings.ts';
import type { Work } from '../api/works.ts';
import { frozen, objectOf } from '../explore/native/testing.ts';
import { manifestOf } from './manifest.ts';
import { marked } from './marks.ts';
import { mergedWork, sameWork, type WorkParts, workOf } from './work-of.ts';

const template = (metadata: object = {}) =>
  objectOf('apps/v1', 'Deployment', { spec: { replicas: 2 } }, { uid: 'template-uid', generation: 3, ...metadata });

const binding = (spec: Partial<BindingSpec> = {}): Binding =>
  frozen({
    metadata: {
      name: 'nginx-deployment',
      namespace: 'default',
      labels: { 'resourcebinding.karmada.io/permanent-id': 'binding-id' },
    },
    spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' }, ...spec },
  });

const work = (parts: Partial<WorkParts> = {}): Work =>
  frozen(
    workOf({
      binding: binding(),
      template: template(),
      cluster: 'm1',
      manifest: manifestOf(template()),
      permanentId: 'work-id',
      suspended: false,
      ...parts,
    }),
  );

describe('FED-8: a Work', () => {
  test('of a template in a namespace', () => {
    expect(work()).toEqual({
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: {
        name: 'nginx-687f7fb96f',
        namespace: 'karmada-es-m1',
        labels: { 'work.karmada.io/permanent-id': 'work-id', 'resourcebinding.karmada.io/permanent-id': 'binding-id' },
        annotations: {
          'resourcebinding.karmada.io/namespace': 'default',
          'resourcebinding.karmada.io/name': 'nginx-deployment',
          'work.karmada.io/conflict-resolution': 'abort',
        },
        finalizers: ['karmada.io/execution-controller'],
      },
      spec: {
        workload: {
          manifests: [
            marked(manifestOf(template()), {
              work: { namespace: 'karmada-es-m1', name: 'nginx-687f7fb96f', permanentId: 'work-id' },
              binding: { namespace: 'default', name: 'nginx-deployment', permanentId: 'binding-id' },
              template: { uid: 'template-uid', generation: 3 },
              conflictResolution: 'abort',
            }),
          ],
        },
        suspendDispatching: false,
        preserveResourcesOnDeletion: false,
      },
    });
  });

  test('has no field that is undefined: they get lost on the way to the API server', () => {
    expect(JSON.parse(JSON.stringify(work()))).toStrictEqual(work());
  });

  test('of a cluster-scoped template', () => {
    const role = objectOf(
      'rbac.authorization.k8s.io/v1',
      'ClusterRole',
      {},
      { name: 'system:foo', namespace: undefined },
    );
    const labels = { 'clusterresourcebinding.karmada.io/permanent-id': 'id' };
    const ofRole = { ...binding(), metadata: { name: 'system.foo-clusterrole', labels } };
    const { metadata } = work({ binding: ofRole, template: role, manifest: role });
    expect(metadata).toMatchObject({
      name: 'system.foo-5f7d88f69',
      labels,
      annotations: { 'clusterresourcebinding.karmada.io/name': 'system.foo-clusterrole' },
    });
  });

  test('FED-10: of a Namespace, owned by it, without a binding', () => {
    const namespace = objectOf('v1', 'Namespace', {}, { name: 'test', namespace: undefined });
    const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'test', uid: 'x', controller: true };
    const made = work({ binding: undefined, template: namespace, manifest: namespace, owner });
    expect(made.metadata).toEqual({
      name: 'test-69fd499b4c',
      namespace: 'karmada-es-m1',
      labels: { 'work.karmada.io/permanent-id': 'work-id' },
      finalizers: ['karmada.io/execution-controller'],
      ownerReferences: [owner],
    });
    expect(made.spec.workload?.manifests?.[0]?.metadata.annotations).not.toHaveProperty(
      'work.karmada.io/conflict-resolution',
    );
  });

  test.each([
    [undefined, undefined, 'abort'],
    ['Overwrite', undefined, 'overwrite'],
    ['Abort', 'overwrite', 'overwrite'],
    ['Overwrite', 'abort', 'abort'],
    ['Overwrite', 'nonsense', 'overwrite'],
  ] as const)('policy %s, annotation %s: %s', (conflictResolution, annotation, expected) => {
    const annotations = annotation ? { 'work.karmada.io/conflict-resolution': annotation } : {};
    const spec = conflictResolution ? { conflictResolution } : {};
    const made = work({ binding: binding(spec), manifest: manifestOf(template({ annotations })) });
    for (const { metadata } of [made, made.spec.workload!.manifests![0]!])
      expect(metadata.annotations).toMatchObject({ 'work.karmada.io/conflict-resolution': expected });
  });

  test('FED-7, FED-9, FED-20: overrides that were applied, preserving, suspension', () => {
    const overrides = { applied: '[{"policyName":"a"}]', clusterApplied: '[{"policyName":"b"}]' };
    const made = work({ overrides, suspended: true, binding: binding({ preserveResourcesOnDeletion: true }) });
    expect(made.metadata.annotations).toMatchObject({
      'policy.karmada.io/applied-overrides': overrides.applied,
      'policy.karmada.io/applied-cluster-overrides': overrides.clusterApplied,
    });
    expect(made.spec).toMatchObject({ suspendDispatching: true, preserveResourcesOnDeletion: true });
    expect(made.spec.workload!.manifests![0]!.metadata.annotations).not.toHaveProperty(
      'policy.karmada.io/applied-overrides',
    );
  });
});

describe('FED-8: an unchanged Work is not written', () => {
  /** As it comes back from the API server, with what others have added. */
  const stored = (parts: Partial<WorkParts> = {}): Work => {
    const { metadata, spec } = JSON.parse(JSON.stringify(work(parts))) as Work;
    const { labels, annotations, ...others } = metadata;
    return frozen({
      spec,
      status: { conditions: [] },
      metadata: {
        finalizers: [...(others.finalizers ?? []), 'example.com/more'],
        annotations: { more: 'x', ...annotations },
        labels: { more: 'x', ...labels },
        name: others.name,
        namespace: others.namespace!,
        resourceVersion: '7',
        uid: 'uid',
      },
    });
  };

  test('what others have added is no difference', () => {
    const existing = stored();
    expect(sameWork(existing, work())).toBe(true);
    expect(mergedWork(existing, work())).toBe(existing);
  });

  const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'test', uid: 'x' };

  test.each<[string, Partial<WorkParts>]>([
    ['the manifest', { manifest: manifestOf(template({ labels: { new: 'x' } })) }],
    ['the template’s generation', { template: template({ generation: 4 }) }],
    ['suspension', { suspended: true }],
    ['preserving', { binding: binding({ preserveResourcesOnDeletion: true }) }],
    ['conflict resolution', { binding: binding({ conflictResolution: 'Overwrite' }) }],
    ['overrides', { overrides: { applied: '[]' } }],
    ['the owner', { owner }],
  ])('%s is a difference, and updated', (_case, parts) => {
    const desired = work(parts);
    expect(sameWork(stored(), desired)).toBe(false);
    const merged = mergedWork(stored(), desired);
    expect(sameWork(merged, desired)).toBe(true);
    expect(merged.metadata).toMatchObject({
      resourceVersion: '7',
      labels: { more: 'x' },
      annotations: { more: 'x' },
      finalizers: ['karmada.io/execution-controller', 'example.com/more'],
    });
    expect(merged.status).toEqual({ conditions: [] });
  });

  test('FED-7: overrides that no longer apply are not left over', () => {
    const existing = stored({ overrides: { applied: '[]', clusterApplied: '[]' } });
    expect(sameWork(existing, work())).toBe(false);
    const { annotations } = mergedWork(existing, work()).metadata;
    expect(annotations).toEqual({ more: 'x', ...work().metadata.annotations });
  });

  test.each(['finalizers', 'labels', 'annotations'] as const)('%s that somebody took away are put back', (field) => {
    const { [field]: _taken, ...others } = stored().metadata;
    const existing = { ...stored(), metadata: others };
    expect(sameWork(existing, work())).toBe(false);
    expect(mergedWork(existing, work()).metadata[field]).toEqual(work().metadata[field]);
  });
});
