import { describe, expect, it } from 'vitest';
import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import type { Deployment } from './deployment.ts';
import { newSetReplicas, oldSetSizes, scaledSizes } from './replica-counts.ts';

const template = { spec: { containers: [] } };

const deployment = (replicas: number, maxSurge: number | string, maxUnavailable: number | string): Deployment => ({
  metadata: { name: 'd' },
  spec: {
    replicas,
    selector: {},
    template,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
  },
});

const set = (
  name: string,
  replicas: number,
  available = replicas,
  annotations: Record<string, string> = {},
): ReplicaSet => ({
  metadata: { name, uid: name, creationTimestamp: `2026-01-0${name.length}T00:00:00Z`, annotations },
  spec: { replicas, selector: {}, template },
  status: { replicas, availableReplicas: available },
});

const sizes = (list: { set: ReplicaSet; replicas: number }[]) =>
  list.map(({ set: { metadata }, replicas }) => `${metadata.name} ${replicas}`);

describe('a rolling update', () => {
  it.each([
    ['as many as may surge', deployment(10, '25%', 0), [set('a', 10)], 0, 3],
    ['no more than are desired', deployment(3, 5, 0), [set('a', 1)], 0, 3],
    ['none while the surge limit is reached', deployment(3, 1, 0), [set('a', 3), set('bb', 1)], 1, 1],
  ])('gives the new ReplicaSet %s', (_, desired, all, current, expected) => {
    expect(newSetReplicas(desired, all, current)).toBe(expected);
  });

  it('takes from old ones what may be unavailable', () => {
    expect(sizes(oldSetSizes(deployment(10, 0, 3), [set('a', 10)], set('bb', 0)))).toEqual(['a 7']);
  });

  it('takes what is not available anyway first, from the oldest', () => {
    const old = [set('a', 5, 3), set('bb', 5)];
    expect(sizes(oldSetSizes(deployment(10, 2, 0), old, set('ccc', 2)))).toEqual(['a 3']);
  });

  it('takes nothing while new pods are not available', () => {
    expect(oldSetSizes(deployment(3, 1, 0), [set('a', 3)], set('bb', 1, 0))).toEqual([]);
  });
});

describe('scaling', () => {
  it('resizes the only active ReplicaSet', () => {
    const { sizes: list, isForced } = scaledSizes(deployment(5, 1, 1), set('bb', 3), [set('a', 0)]);
    expect([sizes(list), isForced]).toEqual([['bb 5'], false]);
  });

  it('shrinks old ones to nothing once the new one is saturated', () => {
    const saturated = set('bb', 3, 3, { 'deployment.kubernetes.io/desired-replicas': '3' });
    expect(sizes(scaledSizes(deployment(3, 1, 1), saturated, [set('a', 1)]).sizes)).toEqual(['a 0']);
  });

  it('resizes all in proportion in the middle of a rollout, the rest goes to the largest', () => {
    const before = { 'deployment.kubernetes.io/max-replicas': '13' };
    const scaling = scaledSizes(deployment(15, 3, 2), set('bb', 5, 0, before), [set('a', 8, 8, before)]);
    expect([sizes(scaling.sizes), scaling.isForced]).toEqual([['a 11', 'bb 7'], true]);
  });

  it('to none takes all', () => {
    expect(sizes(scaledSizes(deployment(0, 3, 2), set('bb', 5), [set('a', 8)]).sizes)).toEqual(['a 0', 'bb 0']);
  });
});
