import { describe, expect, it } from 'vitest';
import type { Binding } from '../api/bindings.ts';
import { dependedByLabel, dependedByLabelsOf, dependenciesText, recordedDependencies } from './parent-marks.ts';
import { agreedPolicies } from './parent-policies.ts';

const binding = (metadata: Partial<Binding['metadata']>, spec: Partial<Binding['spec']> = {}): Binding => ({
  metadata: { name: 'b', ...metadata },
  spec: { resource: { apiVersion: 'v1', kind: 'Secret', name: 's' }, ...spec },
});

describe('the marks of parents and dependents', () => {
  it('FED-11: the label differs for parents of the same name in two namespaces', () => {
    const keys = [{ namespace: 'a', name: 'b-c' }, { namespace: 'a-b', name: 'c' }, { name: 'b-c' }].map(
      dependedByLabel,
    );
    expect(new Set(keys).size).toBe(3);
    const labels = Object.fromEntries(keys.map((key) => [key, 'id']));
    expect(dependedByLabelsOf(binding({ labels: { ...labels, app: 'web' } }))).toEqual(keys);
  });

  it.each([
    ['what was written', dependenciesText([{ apiVersion: 'v1', kind: 'Secret', namespace: 'n', name: 's' }]), 1],
    ['nothing', undefined, 0],
    ['no JSON', '{', 0],
    ['null, as Go writes no list', 'null', 0],
    ['what is no dependency', '[1, {}, {"apiVersion":"v1","kind":"Secret"}]', 1],
  ])('FED-11: reads from the annotation %s', (_what, text, expected) => {
    const annotations = text === undefined ? {} : { 'resourcebinding.karmada.io/dependencies': text };
    expect(recordedDependencies(binding({ annotations }))).toHaveLength(expected);
  });

  it('FED-11: reports where parents disagree', () => {
    const wants = (overwrites: boolean, preserves: boolean) =>
      binding(
        {},
        {
          conflictResolution: overwrites ? 'Overwrite' : 'Abort',
          ...(preserves && { preserveResourcesOnDeletion: true }),
        },
      );
    const conflicts = (...parents: Binding[]) => agreedPolicies(parents).conflicts;
    expect(conflicts()).toEqual([]);
    expect(conflicts(wants(true, true))).toEqual([]);
    expect(conflicts(wants(true, true), wants(true, true))).toEqual([]);
    expect(conflicts(wants(true, false), wants(false, false))).toEqual([
      'ConflictResolution conflicted (Overwrite vs Abort)',
    ]);
    expect(conflicts(wants(false, true), wants(true, false))).toEqual([
      'ConflictResolution conflicted (Overwrite vs Abort)',
      'PreserveResourcesOnDeletion conflicted (true vs false)',
    ]);
  });
});
