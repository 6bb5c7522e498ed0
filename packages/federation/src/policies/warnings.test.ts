import { expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import type { Resource } from '../kinds/kinds.ts';
import { warningsOf } from './warnings.ts';

const resource = (group: string, version: string, kind: string, preferred: boolean): Resource => ({
  apiVersion: group ? `${group}/${version}` : version,
  group,
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
  verbs: [],
  preferred,
});
const served = [
  resource('', 'v1', 'ConfigMap', true),
  resource('autoscaling', 'v2', 'HorizontalPodAutoscaler', true),
  resource('autoscaling', 'v1', 'HorizontalPodAutoscaler', false),
  resource('autoscaling', 'v1', 'Old', false),
];

const selecting = (kind: string, ...selected: [string, string][]): AnyObject => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind,
  metadata: { name: 'p' },
  spec: { resourceSelectors: selected.map(([apiVersion, kind]) => ({ apiVersion, kind })) },
});

it.each(['PropagationPolicy', 'ClusterPropagationPolicy', 'OverridePolicy', 'ClusterOverridePolicy'])(
  'FED-19: a selector of %s with a version that is not the preferred one',
  (kind) => {
    const policy = selecting(
      kind,
      ['v1', 'ConfigMap'],
      ['autoscaling/v1', 'HorizontalPodAutoscaler'],
      ['autoscaling/v2', 'HorizontalPodAutoscaler'],
      ['autoscaling/v1', 'Old'],
      ['example.com/v1', 'NotThereYet'],
    );
    expect(warningsOf(policy, served)).toEqual([
      'spec.resourceSelectors[1].apiVersion autoscaling/v1 selects no HorizontalPodAutoscaler: use autoscaling/v2',
      'spec.resourceSelectors[3].apiVersion autoscaling/v1 selects no Old: its group has another preferred version',
    ]);
  },
);

it('FED-1: fields that are not honoured yet', () => {
  const policy = selecting('PropagationPolicy', ['v1', 'ConfigMap']);
  (policy['spec'] as { preemption?: string }).preemption = 'Always';
  expect(warningsOf(policy, served)).toEqual([expect.stringMatching(/^spec.preemption is stored but not honoured/)]);
});

it('EXP-9: Lua is not run', () => {
  const apiVersion = 'config.karmada.io/v1alpha1';
  const customization = { apiVersion, kind: 'ResourceInterpreterCustomization', metadata: { name: 'c' } };
  expect(warningsOf(customization, served)).toEqual([expect.stringContaining('not run yet')]);
});

it('FED-1: nothing else', () => {
  expect(warningsOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } }, served)).toEqual([]);
  expect(warningsOf({ ...selecting('OverridePolicy'), spec: {} }, served)).toEqual([]);
});
