import { describe, expect, it } from 'vitest';
import type { Binding, BindingSpec, BindingStatus } from '../api/bindings.ts';
import type { Member } from './candidates.ts';
import * as objects from './testing/objects.ts';
import { claimed, member } from './testing/objects.ts';
import {
  appliedPlacement,
  appliedPlacementAnnotation,
  bindingTrigger,
  type ClusterChange,
  clusterTrigger,
  isSameForAll,
  isSchedulable,
  type Trigger,
} from './triggers.ts';

const duplicated = { clusterAffinity: { clusterNames: ['m1', 'm2', 'm3'] } };
const divided = { ...duplicated, replicaScheduling: { replicaSchedulingType: 'Divided' } } as const;

const scheduled: BindingStatus = {
  conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', message: '', lastTransitionTime: '' }],
};

/** A binding at rest: it was scheduled with its placement and replicas. */
function atRest(spec: Partial<BindingSpec> = {}, status = scheduled): Binding {
  const one = objects.binding({ placement: duplicated, ...spec }, { status });
  const annotations = { [appliedPlacementAnnotation]: appliedPlacement(one.spec.placement!) };
  return { ...one, metadata: { ...one.metadata, annotations } };
}

const dividedAtRest = (spec: Partial<BindingSpec> = {}, status?: BindingStatus): Binding =>
  atRest(
    {
      placement: divided,
      replicas: 3,
      clusters: [
        { name: 'm1', replicas: 2 },
        { name: 'm2', replicas: 1 },
      ],
      ...spec,
    },
    status,
  );

const duplicatedAtRest = (spec: Partial<BindingSpec> = {}, status?: BindingStatus): Binding =>
  atRest(
    {
      replicas: 2,
      clusters: [
        { name: 'm1', replicas: 2 },
        { name: 'm2', replicas: 2 },
      ],
      ...spec,
    },
    status,
  );

const noClusterFit: BindingStatus = {
  conditions: [{ type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message: '', lastTransitionTime: '' }],
};

const changed = (binding: Binding, spec: Partial<BindingSpec> = {}): Binding => ({
  ...binding,
  metadata: { ...binding.metadata, generation: 2 },
  spec: { ...binding.spec, ...spec },
});
const withMetadata = (binding: Binding, metadata: Partial<Binding['metadata']>): Binding => ({
  ...binding,
  metadata: { ...binding.metadata, ...metadata },
});

const members = (name: string): Member | undefined => (name.startsWith('m') ? member(name) : undefined);
const triggerOf = (before: Binding | undefined, after: Binding) => bindingTrigger(before, after, members);

describe('FED-17: what is never scheduled', () => {
  it.each<[string, Binding, boolean]>([
    ['a claimed binding is', objects.binding(), true],
    [
      'claimed by a cluster policy',
      objects.binding(
        {},
        { metadata: { name: 'x', labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'b' } } },
      ),
      true,
    ],
    ['without a claim', objects.binding({}, { metadata: { name: 'x' } }), false],
    ['suspended', objects.binding({ suspension: { scheduling: true } }), false],
    ['only dispatching is suspended', objects.binding({ suspension: { dispatching: true } }), true],
    ['left to another scheduler', objects.binding({ schedulerName: 'mine' }), false],
    ['the default scheduler by name', objects.binding({ schedulerName: 'default-scheduler' }), true],
    ['being deleted', withMetadata(objects.binding(), { deletionTimestamp: 'now' }), false],
    ['a dependency', { metadata: { name: 'x', labels: claimed }, spec: { resource: objects.deployment } }, false],
  ])('FED-17: %s', (_, binding, expected) => {
    expect(isSchedulable(binding)).toBe(expected);
    if (expected) return;
    expect(triggerOf(undefined, binding)).toBeUndefined();
    expect(clusterTrigger(binding, { after: member('m1') })).toBeUndefined();
  });
});

describe('FED-17: changes of the binding', () => {
  it.each<[string, Binding | undefined, Binding, Trigger | undefined]>([
    ['new', undefined, objects.binding({ replicas: 2 }), 'placement'],
    ['Divided, seen again at rest', undefined, dividedAtRest(), undefined],
    ['Duplicated, seen again at rest', undefined, duplicatedAtRest(), 'binding'],
    [
      'no workload, Divided, seen again',
      undefined,
      atRest({ placement: divided, clusters: [{ name: 'm1' }] }),
      'binding',
    ],
    ['only the status', duplicatedAtRest(), duplicatedAtRest({}, { lastScheduledTime: 'now' }), undefined],
    ['another placement', dividedAtRest(), changed(dividedAtRest(), { placement: duplicated }), 'placement'],
    ['the annotation is gone', dividedAtRest(), withMetadata(dividedAtRest(), { annotations: {} }), 'placement'],
    [
      'the annotation cannot be read',
      undefined,
      withMetadata(dividedAtRest(), { annotations: { [appliedPlacementAnnotation]: '{' } }),
      'placement',
    ],
    ['Divided, another spec', dividedAtRest(), changed(dividedAtRest(), { propagateDeps: true }), undefined],
    ['Duplicated, another spec', duplicatedAtRest(), changed(duplicatedAtRest(), { propagateDeps: true }), 'binding'],
    ['Divided, more replicas', dividedAtRest(), changed(dividedAtRest(), { replicas: 4 }), 'replicas'],
    ['Duplicated, more replicas', duplicatedAtRest(), changed(duplicatedAtRest(), { replicas: 4 }), 'binding'],
    [
      'Duplicated by name, one differs',
      undefined,
      atRest({
        placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
        replicas: 2,
        clusters: [
          { name: 'm1', replicas: 2 },
          { name: 'm2', replicas: 1 },
        ],
      }),
      'replicas',
    ],
    [
      'Divided, a cluster was taken out',
      dividedAtRest(),
      changed(dividedAtRest(), { clusters: [{ name: 'm1', replicas: 2 }] }),
      'replicas',
    ],
    [
      'Divided, a chosen cluster is gone',
      undefined,
      dividedAtRest({ clusters: [{ name: 'gone', replicas: 3 }] }),
      'cluster',
    ],
    [
      'a later request to reschedule',
      dividedAtRest(),
      changed(dividedAtRest({}, { lastScheduledTime: '2026-01-01T00:00:00Z' }), {
        rescheduleTriggeredAt: '2026-01-01T00:00:01Z',
      }),
      'reschedule',
    ],
    [
      'an earlier request to reschedule',
      dividedAtRest(),
      changed(dividedAtRest({}, { lastScheduledTime: '2026-01-01T00:00:00Z' }), {
        rescheduleTriggeredAt: '2026-01-01T00:00:00Z',
      }),
      undefined,
    ],
    [
      'a request before the first schedule',
      dividedAtRest(),
      changed(dividedAtRest(), { rescheduleTriggeredAt: '2026-01-01T00:00:01Z' }),
      undefined,
    ],
    ['claimed again', withMetadata(duplicatedAtRest(), { labels: {} }), duplicatedAtRest(), 'binding'],
    [
      'no longer suspended',
      changed(dividedAtRest(), { suspension: { scheduling: true }, replicas: 9 }),
      changed(dividedAtRest(), { replicas: 9 }),
      'replicas',
    ],
    [
      'no cluster fitted a Divided one without replicas',
      undefined,
      dividedAtRest({ replicas: 0, clusters: [], replicaRequirements: {} }, noClusterFit),
      'no cluster fit',
    ],
  ])('FED-17: %s', (_, before, after, expected) => {
    expect(triggerOf(before, after)).toBe(expected);
  });

  it.each<[string, BindingStatus]>([
    ['its result was written and never reported', {}],
    [
      'the report is of an earlier result',
      { conditions: [{ ...scheduled.conditions![0]!, status: 'False', reason: 'Unschedulable' }] },
    ],
  ])('FED-16, FED-17: Divided, seen for the first time, %s', (_, status) => {
    const binding = dividedAtRest({}, status);
    expect(triggerOf(undefined, binding)).toBe('not reported');
    expect(triggerOf(binding, binding)).toBeUndefined();
  });

  it('FED-17: the order of keys in the annotation is no difference', () => {
    const binding = dividedAtRest();
    const { replicaScheduling, clusterAffinity } = divided;
    const annotations = { [appliedPlacementAnnotation]: JSON.stringify({ replicaScheduling, clusterAffinity }) };
    expect(triggerOf(undefined, withMetadata(binding, { annotations }))).toBeUndefined();
  });
});

const withoutKind = [{ groupVersion: 'v1', resources: [{ kind: 'ConfigMap' }] }];

describe('FED-17: changes of a Cluster', () => {
  it.each<[string, ClusterChange, Trigger | undefined, Trigger | undefined]>([
    ['a heartbeat', { before: member('m1'), after: member('m1') }, undefined, undefined],
    [
      'a label of one that matches',
      { before: member('m3'), after: member('m3', { labels: { a: 'b' } }) },
      'cluster',
      undefined,
    ],
    [
      'a taint',
      { before: member('m3', { taints: [] }), after: member('m3', { taints: [{ key: 'a', effect: 'NoSchedule' }] }) },
      'cluster',
      undefined,
    ],
    ['a region', { before: member('m3'), after: member('m3', { region: 'eu' }) }, 'cluster', undefined],
    ['one that matches joins', { after: member('m3') }, 'cluster', undefined],
    ['one that does not match joins', { after: member('x') }, undefined, undefined],
    [
      'one that does not match is relabelled',
      { before: member('x'), after: member('x', { labels: { a: 'b' } }) },
      undefined,
      undefined,
    ],
    ['one that is not chosen leaves', { before: member('m3') }, 'cluster', undefined],
    ['a chosen one leaves', { before: member('m1') }, 'cluster', 'cluster'],
    [
      'a chosen one is being deleted',
      { before: member('m1'), after: member('m1', { deletionTimestamp: 'now' }) },
      'cluster',
      'cluster',
    ],
    [
      'a chosen one leaves the federation',
      { before: member('m1'), after: member('m1', { federated: false }) },
      'cluster',
      'cluster',
    ],
    [
      'a chosen one is switched off',
      { before: member('m1'), after: member('m1', { active: false }) },
      'cluster',
      undefined,
    ],
    ['one is federated', { before: member('m3', { federated: false }), after: member('m3') }, 'cluster', undefined],
    [
      'the kind is served from now on',
      { before: member('m3', { apiEnablements: withoutKind }), after: member('m3') },
      'api enabled',
      'api enabled',
    ],
    [
      'the first discovery',
      { before: member('m3', { apiEnablements: [] }), after: member('m3') },
      'cluster',
      undefined,
    ],
    [
      'the kind is gone',
      { before: member('m1'), after: member('m1', { apiEnablements: withoutKind }) },
      'cluster',
      undefined,
    ],
    [
      'another kind is served',
      {
        before: member('m3'),
        after: member('m3', {
          apiEnablements: [
            ...withoutKind,
            { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }, { kind: 'New' }] },
          ],
        }),
      },
      undefined,
      undefined,
    ],
    [
      'one that does not match serves the kind',
      { before: member('x', { apiEnablements: withoutKind }), after: member('x') },
      undefined,
      undefined,
    ],
  ])('FED-17, FED-23: %s: Duplicated %3$s, Divided %4$s', (_, change, forDuplicated, forDivided) => {
    expect(clusterTrigger(duplicatedAtRest(), change)).toBe(forDuplicated);
    expect(clusterTrigger(atRest({ clusters: [{ name: 'm1' }] }), change)).toBe(forDuplicated);
    expect(clusterTrigger(atRest({ placement: divided, clusters: [{ name: 'm1' }] }), change)).toBe(forDuplicated);
    expect(clusterTrigger(dividedAtRest(), change)).toBe(forDivided);
  });

  it('FED-17: one that matched before', () => {
    const placement = { clusterAffinity: { labelSelector: { matchLabels: { a: 'b' } } } };
    const change = { before: member('m3', { labels: { a: 'b' } }), after: member('m3') };
    expect(clusterTrigger(atRest({ placement }), change)).toBe('cluster');
    expect(clusterTrigger(atRest({ placement }), { before: change.after, after: change.before })).toBe('cluster');
  });

  it.each<[string, ClusterChange, Trigger | undefined]>([
    ['a new one', { after: member('m3') }, 'no cluster fit'],
    ['one that does not match', { after: member('x') }, 'no cluster fit'],
    ['a first discovery', { before: member('m3', { apiEnablements: [] }), after: member('m3') }, 'no cluster fit'],
    ['a heartbeat', { before: member('m3'), after: member('m3') }, undefined],
  ])('FED-17: %s while no cluster fits, Divided too', (_, change, expected) => {
    expect(clusterTrigger(dividedAtRest({ clusters: [] }, noClusterFit), change)).toBe(expected);
    expect(clusterTrigger(duplicatedAtRest({ clusters: [] }, noClusterFit), change)).toBe(expected);
  });
});

describe('FED-17: a change of a cluster that no binding depends on', () => {
  const before = member('m1', { region: 'r' });
  it.each([
    [
      'a condition of its status',
      { ...before, cluster: { ...before.cluster, status: { ...before.cluster.status } } },
      true,
    ],
    ['a label', member('m1', { region: 'r', labels: { a: 'b' } }), false],
    ['the region', member('m1', { region: 's' }), false],
    ['a kind that it serves', member('m1', { region: 'r', apiEnablements: [] }), false],
    ['its deletion', member('m1', { region: 'r', deletionTimestamp: '2026-01-01T00:00:00Z' }), false],
    ['whether it is federated', member('m1', { region: 'r', federated: false }), false],
    ['whether it is active', member('m1', { region: 'r', active: false }), false],
  ])('%s', (_what, after, expected) => {
    expect(isSameForAll({ before, after })).toBe(expected);
  });

  it('is not one that joins or leaves', () => {
    expect(isSameForAll({ after: before })).toBe(false);
    expect(isSameForAll({ before })).toBe(false);
  });
});
