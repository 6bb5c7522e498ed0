import { expect, it } from 'vitest';
import { type PodSketch, sketchPod } from '../testing/pods.ts';
import { podsToDelete } from './deletion-order.ts';

const now = Date.parse('2026-01-02T00:00:00Z');
const old = '2026-01-01T00:00:00Z';
const young = '2026-01-01T23:59:00Z';

it.each<[string, PodSketch, PodSketch]>([
  ['without a node', { phase: 'Pending' }, { node: 'n', ready: old }],
  ['pending before running', { node: 'n', phase: 'Pending' }, { node: 'n' }],
  ['of an unknown phase before running', { node: 'n', phase: 'constructor', ready: old }, { node: 'n' }],
  ['not ready before ready', { node: 'n' }, { node: 'n', ready: old }],
  [
    'of a lower deletion cost',
    { node: 'n', ready: old, annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-5' } },
    { node: 'n', ready: young },
  ],
  ['on the more crowded node', { node: 'crowded', ready: old }, { node: 'n', ready: young }],
  ['ready for a shorter time', { node: 'n', ready: young }, { node: 'n', ready: old }],
  ['with more restarts', { node: 'n', ready: old, restarts: 3 }, { node: 'n', ready: old }],
  ['made later', { node: 'n', ready: old, created: young }, { node: 'n', ready: old }],
])('deletes first the pod %s', (_, first, second) => {
  const pods = [sketchPod('second', second), sketchPod('first', first)];
  const related = [...pods, sketchPod('other', { node: 'crowded' }), sketchPod('another', { node: 'crowded' })];
  expect(podsToDelete(pods, related, 1, now).map(({ metadata }) => metadata.name)).toEqual(['first']);
});

it('deletes any of those that became ready in the same order of magnitude of time, by uid', () => {
  const pods = [
    sketchPod('b', { node: 'n', ready: old }),
    sketchPod('a', { node: 'n', ready: '2026-01-01T00:01:00Z' }),
  ];
  expect(podsToDelete(pods, [], 1, now)[0]!.metadata.name).toBe('a');
});
