import { describe, expect, test } from 'vitest';
import { frozen, objectOf } from '../explore/native/testing.ts';
import { retained, retainedMetadata } from './retained.ts';

const managedLabels = 'resourcetemplate.karmada.io/managed-labels';
const managedAnnotations = 'resourcetemplate.karmada.io/managed-annotations';

const object = (metadata: object = {}, fields: object = {}) => frozen(objectOf('v1', 'ConfigMap', fields, metadata));

describe('FED-8: retained of every kind', () => {
  const owners = [{ apiVersion: 'v1', kind: 'Foo', name: 'foo', uid: 'x' }];

  test('finalizers, owners and the observed version', () => {
    const observed = object({
      finalizers: ['a'],
      ownerReferences: owners,
      resourceVersion: '7',
      uid: 'y',
      generation: 4,
    });
    expect(retainedMetadata(object({ finalizers: ['b'] }, { data: {} }), observed)).toEqual(
      object({ finalizers: ['a'], ownerReferences: owners, resourceVersion: '7' }, { data: {} }),
    );
  });

  test('finalizers and owners that the member has not go', () => {
    const desired = object({ finalizers: ['b'], ownerReferences: owners, resourceVersion: '1' });
    expect(retainedMetadata(desired, object({ resourceVersion: '7' }))).toEqual(object({ resourceVersion: '7' }));
  });

  test.each(['labels', 'annotations'] as const)(
    '%s that the member has added stay, changed ones are put back',
    (list) => {
      const observed = object({ [list]: { foo: 'theirs', more: 'theirs' } });
      expect(retainedMetadata(object({ [list]: { foo: 'mine' } }), observed).metadata[list]).toEqual({
        foo: 'mine',
        more: 'theirs',
      });
      expect(retainedMetadata(object(), observed).metadata[list]).toEqual({ foo: 'theirs', more: 'theirs' });
      expect(retainedMetadata(object(), object()).metadata).not.toHaveProperty(list);
    },
  );

  test('keys of the last write that are no longer in the template go', () => {
    const observed = object({
      labels: { app: 'a', gone: 'b', theirs: 'c' },
      annotations: {
        [managedLabels]: 'app,gone',
        [managedAnnotations]: `${managedAnnotations},${managedLabels},old`,
        old: 'd',
        theirs: 'e',
      },
    });
    const desired = object({
      labels: { app: 'a' },
      annotations: { [managedLabels]: 'app', [managedAnnotations]: 'x' },
    });
    expect(retainedMetadata(desired, observed).metadata).toMatchObject({
      labels: { app: 'a', theirs: 'c' },
      annotations: { [managedLabels]: 'app', [managedAnnotations]: 'x', theirs: 'e' },
    });
    expect(retainedMetadata(desired, observed).metadata.labels).not.toHaveProperty('gone');
    expect(retainedMetadata(desired, observed).metadata.annotations).not.toHaveProperty('old');
  });

  test('a label with the name of a managed annotation is the member’s', () => {
    const observed = object({
      labels: { old: 'a' },
      annotations: { [managedAnnotations]: 'old', [managedLabels]: '' },
    });
    expect(retainedMetadata(object(), observed).metadata.labels).toEqual({ old: 'a' });
  });
});

test('FED-12: then the rule of the kind', () => {
  const desired = object({ labels: { mine: 'a' } }, { data: { a: 'mine' } });
  const observed = object({ labels: { theirs: 'b' }, resourceVersion: '7' }, { data: { a: 'theirs' } });
  const retain = (own: typeof desired, theirs: typeof desired) => ({ ...own, data: theirs['data'] });
  const expected = object({ labels: { mine: 'a', theirs: 'b' }, resourceVersion: '7' }, { data: { a: 'theirs' } });
  expect(retained({ desired, observed, rules: { retain } })).toEqual(expected);
  expect(retained({ desired, observed, rules: {} })).toEqual({ ...expected, data: { a: 'mine' } });
  expect(retained({ desired, observed, rules: undefined })).toEqual({ ...expected, data: { a: 'mine' } });
});
