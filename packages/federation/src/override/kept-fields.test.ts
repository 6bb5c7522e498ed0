import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { OverridePolicy, Overriders, PlaintextOverrider } from '../api/policies.ts';
import { applyOverrides } from './apply-overrides.ts';

const manifest: AnyObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'coredns',
    namespace: 'shop',
    uid: 'of-the-template',
    labels: { app: 'dns', 'resourcebinding.karmada.io/permanent-id': 'mine' },
    annotations: { note: 'x', 'work.karmada.io/conflict-resolution': 'abort' },
  },
};
const m1 = { metadata: { name: 'm1' }, spec: {} };
const policy = (overriders: Overriders, namespace?: string): OverridePolicy => ({
  metadata: { name: 'o', ...(namespace && { namespace }) },
  spec: { overrideRules: [{ overriders }] },
});
const plaintext = (
  operator: PlaintextOverrider['operator'],
  path: string,
  value?: PlaintextOverrider['value'],
): Overriders => ({ plaintext: [{ operator, path, ...(value !== undefined && { value }) }] });

describe('FED-7: what no override may change', () => {
  it.each<[string, Overriders]>([
    ['/apiVersion', plaintext('replace', '/apiVersion', 'v2')],
    ['/kind', plaintext('replace', '/kind', 'Secret')],
    ['/metadata/name', plaintext('replace', '/metadata/name', 'other')],
    ['/metadata/namespace', plaintext('replace', '/metadata/namespace', 'kube-system')],
    ['/metadata/namespace', plaintext('remove', '/metadata/namespace')],
    ['/metadata/uid', plaintext('replace', '/metadata/uid', 'other')],
    ['/metadata/name', plaintext('replace', '/metadata', { name: 'other', namespace: 'shop' })],
    ['/apiVersion', plaintext('replace', '', { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'coredns' } })],
    [
      '/metadata/name',
      {
        imageOverrider: [
          { predicate: { path: '/metadata/name' }, component: 'Repository', operator: 'replace', value: 'other' },
        ],
      },
    ],
    [
      '/metadata/labels/karmada.io~1managed',
      { labelsOverrider: [{ operator: 'add', value: { 'karmada.io/managed': 'true' } }] },
    ],
    [
      '/metadata/labels/work.karmada.io~1permanent-id',
      plaintext('add', '/metadata/labels/work.karmada.io~1permanent-id', 'x'),
    ],
    ['/metadata/labels/resourcebinding.karmada.io~1permanent-id', plaintext('remove', '/metadata/labels')],
    [
      '/metadata/annotations/work.karmada.io~1conflict-resolution',
      {
        annotationsOverrider: [{ operator: 'replace', value: { 'work.karmada.io/conflict-resolution': 'overwrite' } }],
      },
    ],
    [
      '/metadata/annotations/resourcetemplate.karmada.io~1uid',
      { annotationsOverrider: [{ operator: 'add', value: { 'resourcetemplate.karmada.io/uid': 'x' } }] },
    ],
  ])('FED-7: %s, by %j', (path, overriders) => {
    const message = `for cluster(m1) failed: an override may not change ${path}`;
    expect(() => applyOverrides(manifest, m1, [], [policy(overriders, 'shop')])).toThrow(message);
    expect(() => applyOverrides(manifest, m1, [policy(overriders)], [])).toThrow(message);
  });

  it('FED-7: other labels and annotations, and the same name again, may be set', () => {
    const overriders: Overriders = {
      labelsOverrider: [{ operator: 'replace', value: { app: 'other' } }],
      annotationsOverrider: [{ operator: 'add', value: { 'karmada.io/note': 'y' } }],
      plaintext: [{ operator: 'replace', path: '/metadata/name', value: 'coredns' }],
    };
    expect(applyOverrides(manifest, m1, [], [policy(overriders, 'shop')]).manifest.metadata).toEqual({
      ...manifest.metadata,
      labels: { ...manifest.metadata.labels, app: 'other' },
      annotations: { ...manifest.metadata.annotations, 'karmada.io/note': 'y' },
    });
  });
});
