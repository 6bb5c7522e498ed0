import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frozen, objectOf } from '../explore/native/testing.ts';
import {
  bindingIdOf,
  conflictResolutionOf,
  isManaged,
  type Marks,
  managedKeysOf,
  marked,
  marksOf,
  templateUidOf,
  withoutMarks,
  workIdOf,
  workNameOf,
} from './marks.ts';

const marks: Marks = frozen({
  work: { namespace: 'karmada-es-m1', name: 'nginx-687f7fb96f', permanentId: 'work-id' },
  binding: { namespace: 'default', name: 'nginx-deployment', permanentId: 'binding-id' },
  template: { uid: 'template-uid', generation: 3 },
  conflictResolution: 'abort',
});

const ofCluster: Marks = frozen({
  ...marks,
  binding: { name: 'nginx-clusterrole', permanentId: 'binding-id' },
  conflictResolution: 'overwrite',
});

const ofNamespace: Marks = frozen({ work: marks.work, template: { uid: 'template-uid' } });

const manifest = (metadata: object = {}) => objectOf('apps/v1', 'Deployment', {}, metadata);

describe('FED-8: marks of a member’s object', () => {
  test('with a ResourceBinding', () => {
    const { labels, annotations } = marked(
      manifest({ labels: { app: 'nginx' }, annotations: { foo: 'bar' } }),
      marks,
    ).metadata;
    expect(labels).toEqual({
      app: 'nginx',
      'karmada.io/managed': 'true',
      'work.karmada.io/permanent-id': 'work-id',
      'resourcebinding.karmada.io/permanent-id': 'binding-id',
    });
    expect(annotations).toEqual({
      foo: 'bar',
      'resourcebinding.karmada.io/namespace': 'default',
      'resourcebinding.karmada.io/name': 'nginx-deployment',
      'resourcetemplate.karmada.io/generation': '3',
      'resourcetemplate.karmada.io/uid': 'template-uid',
      'work.karmada.io/name': 'nginx-687f7fb96f',
      'work.karmada.io/namespace': 'karmada-es-m1',
      'work.karmada.io/conflict-resolution': 'abort',
      'resourcetemplate.karmada.io/managed-labels':
        'app,karmada.io/managed,resourcebinding.karmada.io/permanent-id,work.karmada.io/permanent-id',
      'resourcetemplate.karmada.io/managed-annotations':
        'foo,resourcebinding.karmada.io/name,resourcebinding.karmada.io/namespace,resourcetemplate.karmada.io/generation,resourcetemplate.karmada.io/managed-annotations,resourcetemplate.karmada.io/managed-labels,resourcetemplate.karmada.io/uid,work.karmada.io/conflict-resolution,work.karmada.io/name,work.karmada.io/namespace',
    });
  });

  test('with a ClusterResourceBinding', () => {
    const { labels, annotations } = marked(manifest(), ofCluster).metadata;
    expect(labels).toMatchObject({ 'clusterresourcebinding.karmada.io/permanent-id': 'binding-id' });
    expect(annotations).toMatchObject({ 'clusterresourcebinding.karmada.io/name': 'nginx-clusterrole' });
    expect(JSON.stringify({ labels, annotations })).not.toContain('"resourcebinding.karmada.io');
  });

  test('FED-10: of a Namespace, without a binding', () => {
    const { labels, annotations } = marked(manifest(), ofNamespace).metadata;
    expect(Object.keys(labels ?? {})).toEqual(['karmada.io/managed', 'work.karmada.io/permanent-id']);
    expect(JSON.stringify({ labels, annotations })).not.toMatch(/binding\.karmada|conflict|generation"/);
  });

  test('what the manifest had of an older write is replaced', () => {
    const once = marked(manifest({ labels: { a: 'b' } }), marks);
    expect(marked(once, marks)).toEqual(once);
  });

  test.each([
    ['a ResourceBinding', marks],
    ['a ClusterResourceBinding', ofCluster],
    ['no binding', ofNamespace],
  ])('are read as they were put on, with %s', (_case, expected) => {
    expect(marksOf(marked(manifest(), expected))).toEqual(expected);
  });
});

test('FED-8: what is read of a member’s object', () => {
  const object = marked(manifest({ labels: { app: 'nginx' } }), marks);
  expect(isManaged(object)).toBe(true);
  expect(workNameOf(object)).toBe('karmada-es-m1/nginx-687f7fb96f');
  expect(workIdOf(object)).toBe('work-id');
  expect(bindingIdOf(object)).toEqual(['binding-id']);
  expect(bindingIdOf(marked(manifest(), ofCluster))).toEqual(['binding-id']);
  expect(templateUidOf(object)).toBe('template-uid');
  expect(managedKeysOf(object).labels.has('app')).toBe(true);
  expect(managedKeysOf(object).annotations.has('work.karmada.io/name')).toBe(true);
});

test('FED-8: an object without marks is nobody’s', () => {
  const object = manifest();
  expect(isManaged(object)).toBe(false);
  expect(isManaged(manifest({ labels: { 'karmada.io/managed': 'false' } }))).toBe(false);
  for (const read of [workNameOf, workIdOf, bindingIdOf, templateUidOf, conflictResolutionOf, marksOf])
    expect(read(object)).toBeUndefined();
  expect(managedKeysOf(object)).toEqual({ labels: new Set(), annotations: new Set() });
});

test.each([
  ['overwrite', 'overwrite'],
  ['abort', 'abort'],
  ['Overwrite', undefined],
])('FED-8: the annotation conflict-resolution: %s is read as %s', (value, expected) => {
  const annotations = { 'work.karmada.io/conflict-resolution': value };
  expect(conflictResolutionOf(manifest({ annotations }))).toBe(expected);
});

describe('FED-9: without marks', () => {
  const claim = {
    labels: {
      'propagationpolicy.karmada.io/permanent-id': 'x',
      'clusterpropagationpolicy.karmada.io/permanent-id': 'x',
    },
    annotations: {
      'propagationpolicy.karmada.io/namespace': 'default',
      'propagationpolicy.karmada.io/name': 'policy',
      'clusterpropagationpolicy.karmada.io/name': 'policy',
    },
  };

  test('the claim goes with them, labels of users stay', () => {
    const labels = { ...claim.labels, 'resourcetemplate.karmada.io/retain-replicas': 'true' };
    const object = marked(manifest({ ...claim, labels, resourceVersion: '7' }), marks);
    const left = manifest({ resourceVersion: '7', labels: { 'resourcetemplate.karmada.io/retain-replicas': 'true' } });
    expect(withoutMarks(object)).toEqual(left);
  });

  test('an object is what it was before', () => {
    const texts = fc.dictionary(fc.stringMatching(/^[a-z.]{1,9}$/), fc.string());
    const given = fc.constantFrom(marks, ofCluster, ofNamespace);
    fc.assert(
      fc.property(texts, texts, given, (labels, annotations, marks) => {
        const object = manifest({
          ...(Object.keys(labels).length > 0 && { labels }),
          ...(Object.keys(annotations).length > 0 && { annotations }),
        });
        expect(withoutMarks(marked(object, marks))).toEqual(object);
      }),
    );
  });
});
