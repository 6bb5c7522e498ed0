import { expect, it } from 'vitest';
import { sketchPod } from '../testing/pods.ts';
import { clockAt } from '../testing/scaled-time.ts';
import { type ReplicaSet, replicaSets } from './replica-set.ts';
import { replicaSetStatus } from './replica-set-status.ts';

const clock = clockAt('2026-01-01T00:01:00Z');
const set: ReplicaSet = {
  metadata: { name: 's', generation: 2 },
  spec: {
    replicas: 3,
    minReadySeconds: 30,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } },
  },
};

it('counts pods that are labelled, ready, available and terminating', () => {
  const active = [
    sketchPod('a', { labels: { app: 'a' }, ready: '2026-01-01T00:00:00Z' }),
    sketchPod('b', { labels: { app: 'b' }, ready: '2026-01-01T00:00:45Z' }),
    sketchPod('c', { labels: { app: 'a' } }),
  ];
  expect(replicaSetStatus(replicaSets, set, { active, terminating: [], failure: undefined }, clock)).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 1,
    terminatingReplicas: 0,
    observedGeneration: 2,
  });
});

it('reports a failure until it is over', () => {
  const seen = { active: [], terminating: [], failure: new Error('exceeded quota') };
  const failed = replicaSetStatus(replicaSets, set, seen, clock);
  const condition = {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: '2026-01-01T00:01:00Z',
    reason: 'FailedCreate',
    message: 'exceeded quota',
  };
  expect(failed.conditions).toEqual([condition]);
  const later = replicaSetStatus(replicaSets, { ...set, status: failed }, { ...seen, failure: undefined }, clock);
  expect(later).not.toHaveProperty('conditions');
});
