import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BindingSpec } from '../api/bindings.ts';
import { candidatesOf, type Member, noFitMessage } from './candidates.ts';
import { binding, deployment, member } from './testing/objects.ts';

const namesOf = (spec: Partial<BindingSpec>, members: readonly Member[]): string[] =>
  candidatesOf(binding(spec), members).candidates.map(({ metadata }) => metadata.name);
const reasonOf = (spec: Partial<BindingSpec>, one: Member): string | undefined =>
  candidatesOf(binding(spec), [one]).rejections[0]?.reason;

const noSchedule = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };

describe('FED-4: why a cluster is no candidate', () => {
  it.each<[string, Partial<BindingSpec>, Member, string | undefined]>([
    ['matches', {}, member('m1'), undefined],
    ['not federated', {}, member('m1', { federated: false }), 'cluster is not federated'],
    ['not active', {}, member('m1', { active: false }), 'cluster is not active'],
    ['deleted', {}, member('m1', { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'cluster is being deleted'],
    [
      'another name',
      { placement: { clusterAffinity: { clusterNames: ['m2'] } } },
      member('m1'),
      'cluster(s) did not match the placement cluster affinity constraint',
    ],
    [
      'excluded though named',
      { placement: { clusterAffinity: { clusterNames: ['m1'], exclude: ['m1'] } } },
      member('m1'),
      'cluster(s) did not match the placement cluster affinity constraint',
    ],
    [
      'a label matches and a field does not',
      {
        placement: {
          clusterAffinity: {
            labelSelector: { matchLabels: { zone: 'a' } },
            fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] },
          },
        },
      },
      member('m1', { labels: { zone: 'a' }, region: 'us' }),
      'cluster(s) did not match the placement cluster affinity constraint',
    ],
    [
      'an empty region is none',
      {
        placement: {
          clusterAffinity: { fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: [''] }] } },
        },
      },
      member('m1', { region: '' }),
      'cluster(s) did not match the placement cluster affinity constraint',
    ],
    ['no API', {}, member('m1', { apiEnablements: [] }), 'cluster(s) did not have the API resource'],
    [
      'the kind in another version',
      {},
      member('m1', { apiEnablements: [{ groupVersion: 'apps/v1beta1', resources: [{ kind: 'Deployment' }] }] }),
      'cluster(s) did not have the API resource',
    ],
    ['no API but chosen', { clusters: [{ name: 'm1' }] }, member('m1', { apiEnablements: [] }), undefined],
    [
      'a taint with a value',
      {},
      member('m1', { taints: [noSchedule] }),
      'cluster(s) had untolerated taint {gpu=yes:NoSchedule}',
    ],
    [
      'not ready',
      {},
      member('m1', { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }] }),
      'cluster(s) had untolerated taint {cluster.karmada.io/not-ready:NoSchedule}',
    ],
    [
      'the first untolerated taint is named',
      { placement: { clusterTolerations: [{ key: 'gpu', operator: 'Exists' }] } },
      member('m1', {
        taints: [noSchedule, { key: 'x', effect: 'PreferNoSchedule' }, { key: 'y', effect: 'NoExecute' }],
      }),
      'cluster(s) had untolerated taint {y:NoExecute}',
    ],
    ['PreferNoSchedule', {}, member('m1', { taints: [{ key: 'gpu', effect: 'PreferNoSchedule' }] }), undefined],
    ['a taint but chosen', { clusters: [{ name: 'm1' }] }, member('m1', { taints: [noSchedule] }), undefined],
    [
      'evicted though chosen',
      { clusters: [{ name: 'm1' }], gracefulEvictionTasks: [{ fromCluster: 'm1' }] },
      member('m1'),
      'cluster(s) is in the process of eviction',
    ],
    ...(
      [
        ['provider', 'provider'],
        ['region', 'region'],
        ['zone', 'zones'],
      ] as const
    ).map(([spreadByField, property]): [string, Partial<BindingSpec>, Member, string] => [
      `a ${spreadByField} constraint`,
      { placement: { spreadConstraints: [{ spreadByField: 'cluster' }, { spreadByField }] } },
      member('m1'),
      `cluster(s) did not have ${property} property`,
    ]),
    [
      'chosen, but outside the affinity by now',
      { clusters: [{ name: 'm1' }], placement: { clusterAffinity: { clusterNames: ['m2'] } } },
      member('m1'),
      'cluster(s) did not match the placement cluster affinity constraint',
    ],
  ])('FED-4: %s', (_, spec, one, reason) => {
    expect(reasonOf(spec, one)).toBe(reason);
  });

  it.each([
    [{ key: 'gpu', operator: 'Exists' }, true],
    [{ key: 'gpu', operator: 'Equal', value: 'yes' }, true],
    [{ key: 'gpu', value: 'yes' }, true],
    [{ key: 'gpu', value: 'no' }, false],
    [{ key: 'gpu' }, false],
    [{ operator: 'Exists' }, true],
    [{ key: 'cpu', operator: 'Exists' }, false],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, true],
  ] as const)('FED-4: %j tolerates gpu=yes:NoSchedule: %s', (toleration, isTolerated) => {
    const placement = { clusterTolerations: [toleration] };
    expect(namesOf({ placement }, [member('m1', { taints: [noSchedule] })])).toEqual(isTolerated ? ['m1'] : []);
  });

  it('FED-4: candidates are in the order of names, whatever the order of clusters', () => {
    const members = ['m2', 'm10', 'm1', 'a'].map((name) => member(name));
    expect(namesOf({}, members)).toEqual(['a', 'm1', 'm10', 'm2']);
    fc.assert(
      fc.property(fc.shuffledSubarray(members, { minLength: members.length }), (shuffled) => {
        expect(candidatesOf(binding(), shuffled)).toEqual(candidatesOf(binding(), members));
      }),
    );
  });

  it('FED-4: of several affinities the one used last counts, or else the first', () => {
    const placement = {
      clusterAffinities: [
        { affinityName: 'first', clusterNames: ['m1'] },
        { affinityName: 'second', clusterNames: ['m2'] },
      ],
    };
    const members = [member('m1'), member('m2')];
    const observing = (schedulerObservingAffinityName: string) =>
      candidatesOf(binding({ placement }, { status: { schedulerObservingAffinityName } }), members).candidates[0];
    expect(namesOf({ placement }, members)).toEqual(['m1']);
    expect(observing('second')?.metadata.name).toBe('m2');
    expect(observing('gone')?.metadata.name).toBe('m1');
  });

  it('FED-4: a binding without a placement may go everywhere', () => {
    const { placement: _, ...spec } = binding().spec;
    expect(candidatesOf({ metadata: { name: 'x' }, spec }, [member('m1')]).candidates).toHaveLength(1);
  });
});

describe('FED-4: the message when nothing fits', () => {
  const message = (members: readonly Member[], placement = {}) =>
    noFitMessage(candidatesOf(binding({ resource: deployment, placement }), members));

  it('FED-4: reasons with their counts, sorted as texts', () => {
    const placement = { clusterAffinity: { exclude: ['m1'] } };
    const members = [
      member('m1'),
      ...Array.from({ length: 10 }, (_, index) => member(`old${index}`, { apiEnablements: [] })),
      member('m2', { taints: [noSchedule] }),
      member('m3', { taints: [noSchedule] }),
    ];
    expect(message(members, placement)).toBe(
      '0/13 clusters are available: 1 cluster(s) did not match the placement cluster affinity constraint, ' +
        '10 cluster(s) did not have the API resource, 2 cluster(s) had untolerated taint {gpu=yes:NoSchedule}.',
    );
  });

  it('FED-4: no cluster at all', () => {
    expect(message([])).toBe('0/0 clusters are available: no cluster exists.');
  });

  it('FED-4: a cluster that is being deleted counts, without a reason; one outside the federation does not', () => {
    const members = [member('m1', { deletionTimestamp: 'now' }), member('m2', { federated: false })];
    expect(message(members)).toBe('0/1 clusters are available: no cluster exists.');
  });
});
