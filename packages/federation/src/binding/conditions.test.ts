import { describe, expect, it } from 'vitest';
import type { AggregatedStatusItem, BindingSpec } from '../api/bindings.ts';
import type { Condition } from '../api/objects.ts';
import { fullyApplied, withCondition } from './conditions.ts';

const scheduled: Condition = {
  type: 'Scheduled',
  status: 'True',
  reason: 'Success',
  message: 'm',
  lastTransitionTime: 'before',
};
const { lastTransitionTime: _, ...same } = scheduled;
const applied: Condition = { ...scheduled, type: 'FullyApplied' };

describe('conditions', () => {
  it.each<[string, Condition[], typeof same, Condition[]]>([
    ['a new one', [applied], same, [applied, { ...scheduled, lastTransitionTime: 'now' }]],
    [
      'another status',
      [scheduled, applied],
      { ...same, status: 'False', reason: 'NoClusterFit' },
      [{ ...scheduled, status: 'False', reason: 'NoClusterFit', lastTransitionTime: 'now' }, applied],
    ],
    ['another message', [applied, scheduled], { ...same, message: 'n' }, [applied, { ...scheduled, message: 'n' }]],
    ['another reason', [scheduled], { ...same, reason: 'r' }, [{ ...scheduled, reason: 'r' }]],
  ])('FED-16: %s', (_what, known, condition, expected) => {
    expect(withCondition(known, condition, 'now')).toEqual(expected);
  });

  it('FED-16: the same list if nothing changes', () => {
    const known = [applied, scheduled];
    expect(withCondition(known, same, 'now')).toBe(known);
  });
});

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx' };
const item = (clusterName: string, isApplied = true): AggregatedStatusItem => ({
  clusterName,
  ...(isApplied ? { applied: true } : {}),
});

describe('FullyApplied', () => {
  const two = { clusters: [{ name: 'm1' }, { name: 'm2' }] };
  it.each<[string, Partial<BindingSpec>, AggregatedStatusItem[], boolean]>([
    ['everywhere', two, [item('m1'), item('m2')], true],
    ['not in one', two, [item('m1'), item('m2', false)], false],
    ['nothing of one yet', two, [item('m1')], false],
    ['in another one too', two, [item('m1'), item('m2'), item('m3')], false],
    ['in another one instead', two, [item('m1'), item('m3')], false],
    ['not scheduled', {}, [], false],
    ['where a parent needs it', { requiredBy: [{ name: 'p', clusters: [{ name: 'm1' }] }] }, [item('m1')], true],
    [
      'where it is until an eviction is over',
      { ...two, gracefulEvictionTasks: [{ fromCluster: 'm3' }] },
      [item('m1'), item('m2'), item('m3')],
      true,
    ],
    [
      'not where it is evicted from directly',
      { clusters: [{ name: 'm1' }], gracefulEvictionTasks: [{ fromCluster: 'm3', ...{ purgeMode: 'Directly' } }] },
      [item('m1')],
      true,
    ],
  ])('FED-16: %s', (_what, spec, items, isApplied) => {
    const { type, status, reason } = fullyApplied({ resource, ...spec }, items);
    expect({ type, status, reason }).toEqual(
      isApplied
        ? { type: 'FullyApplied', status: 'True', reason: 'FullyAppliedSuccess' }
        : { type: 'FullyApplied', status: 'False', reason: 'FullyAppliedFailed' },
    );
  });
});
