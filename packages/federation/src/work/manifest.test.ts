import { expect, test } from 'vitest';
import { frozen, objectOf } from '../explore/native/testing.ts';
import { manifestOf } from './manifest.ts';

const serverFields = {
  creationTimestamp: '2023-03-13T05:00:41Z',
  deletionTimestamp: '2023-03-13T06:00:41Z',
  deletionGracePeriodSeconds: 10,
  generation: 2,
  managedFields: [{ manager: 'name', operation: 'Apply' }],
  resourceVersion: '22222',
  selfLink: 'http://example.com',
  uid: 'db56a4a6-0dff-465a-b046-2c1dea42a42b',
  ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'foo', uid: 'x' }],
  finalizers: ['foregroundDeletion'],
};

const metadata = { labels: { a: 'b' }, annotations: { c: 'd' } };

test('FED-18: what only its own API server gives a template is left out', () => {
  const template = frozen(
    objectOf('example.com/v1', 'Foo', { spec: { a: 1 }, status: {} }, { ...metadata, ...serverFields }),
  );
  expect(manifestOf(template)).toEqual(objectOf('example.com/v1', 'Foo', { spec: { a: 1 } }, metadata));
});

test.each(Object.keys(serverFields))('FED-18: %s alone is left out, too', (field) => {
  const given = { ...metadata, [field]: serverFields[field as keyof typeof serverFields] };
  expect(manifestOf(objectOf('v1', 'ConfigMap', { data: {} }, given)).metadata).not.toHaveProperty(field);
});

test('FED-18: a template without any of it is its own manifest', () => {
  const template = objectOf('v1', 'ConfigMap', { data: { a: 'b' } }, metadata);
  expect(manifestOf(template)).toBe(template);
});

test.each([
  ['Deployment', 'apps/v1', {}, { annotations: { 'deployment.kubernetes.io/revision': '1', a: 'b' } }],
  ['Job', 'batch/v1', { spec: { ttlSecondsAfterFinished: 1 } }, {}],
  ['Service', 'v1', { spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } }, {}],
  ['Secret', 'v1', { type: 'kubernetes.io/service-account-token', data: { token: 'x' } }, {}],
  ['ServiceAccount', 'v1', { secrets: [{ name: 'nginx-token-1' }] }, {}],
  ['PersistentVolumeClaim', 'v1', {}, { annotations: { 'volume.kubernetes.io/selected-node': 'n', a: 'b' } }],
])('FED-18: what each member has of its own of a %s is left out', (kind, apiVersion, fields, given) => {
  const text = JSON.stringify(manifestOf(objectOf(apiVersion, kind, fields, given)));
  expect(text).not.toMatch(/revision|ttlSeconds|clusterIP|token-1|"data"|selected-node/);
});
