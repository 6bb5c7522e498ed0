import { expect, test } from 'vitest';
import { objectOf, reports } from './testing.ts';
import { volumeClaimRules, volumeRules } from './volumes.ts';

const claim = (fields: object = {}, metadata: object = {}) => objectOf('v1', 'PersistentVolumeClaim', fields, metadata);
const volume = (fields: object = {}) => objectOf('v1', 'PersistentVolume', fields);
const statuses = (phases: readonly (string | undefined)[]) =>
  reports(...phases.map((phase) => (phase === undefined ? undefined : { phase, capacity: { storage: '1Gi' } })));

test('FED-18: the node that was chosen for a claim is left out', () => {
  const annotations = { 'volume.kubernetes.io/selected-node': 'node1', foo: 'bar' };
  expect(volumeClaimRules.pack!(claim({}, { annotations })).metadata.annotations).toEqual({ foo: 'bar' });
});

test.each([
  ['observed', 'observed'],
  ['', 'desired'],
  [undefined, 'desired'],
])('FED-12: a claim to volume %s is to %s', (volumeName, expected) => {
  const retained = volumeClaimRules.retain!(
    claim({ spec: { volumeName: 'desired' } }),
    claim({ spec: { volumeName } }),
  );
  expect(retained['spec']).toEqual({ volumeName: expected });
});

test.each([
  ['Bound', ['Bound', 'Bound']],
  ['Lost', ['Bound', 'Lost', 'Pending']],
  ['Pending', ['Pending', 'Bound']],
  ['Bound', ['Bound', undefined]],
  ['Bound', []],
])('FED-12: claims: %s of %o', (expected, phases) => {
  expect(volumeClaimRules.aggregate!(claim(), statuses(phases))['status']).toEqual({ phase: expected });
});

test.each([
  ['Bound', 'Healthy'],
  ['Lost', 'Unhealthy'],
  [undefined, 'Unhealthy'],
])('FED-12: a claim that is %s is %s', (phase, expected) => {
  expect(volumeClaimRules.health!(claim({ status: { phase } }))).toBe(expected);
});

test('FED-12: a volume retains who has claimed it', () => {
  const claimed = (name: string) => volume({ spec: { claimRef: { name, namespace: 'default' } } });
  expect(volumeRules.retain!(claimed('pvc-1'), claimed('pvc-2'))).toEqual(claimed('pvc-2'));
  expect(volumeRules.retain!(claimed('pvc-1'), volume({ spec: {} }))).toEqual(claimed('pvc-1'));
});

test.each([
  ['Failed', ['Released', 'Failed', 'Pending']],
  ['Pending', ['Available', 'Pending']],
  ['Available', ['Bound', 'Available']],
  ['Bound', ['Bound', 'Released']],
  ['Released', ['Released', 'Released']],
  ['Pending', ['Bound', undefined]],
])('FED-12: volumes: %s of %o', (expected, phases) => {
  expect(volumeRules.aggregate!(volume(), statuses(phases))['status']).toEqual({ phase: expected });
});

test('FED-12: the time that the control plane adds to a phase is no difference', () => {
  const template = volume({ status: { phase: 'Bound', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' } });
  expect(volumeRules.aggregate!(template, statuses(['Bound']))).toBe(template);
  expect(volumeRules.aggregate!(template, [])).toBe(template);
});
