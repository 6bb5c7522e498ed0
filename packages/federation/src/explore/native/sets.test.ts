import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { daemonSetRules, replicaSetRules, statefulSetRules } from './sets.ts';
import { objectOf, reports } from './testing.ts';

const rulesOf: Record<string, ObjectRules> = {
  ReplicaSet: replicaSetRules,
  StatefulSet: statefulSetRules,
  DaemonSet: daemonSetRules,
};

const counters: Record<string, string[]> = {
  ReplicaSet: ['replicas', 'readyReplicas', 'availableReplicas'],
  StatefulSet: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  DaemonSet: [
    'currentNumberScheduled',
    'desiredNumberScheduled',
    'numberAvailable',
    'numberMisscheduled',
    'numberReady',
    'updatedNumberScheduled',
    'numberUnavailable',
  ],
};

/** What Kubernetes requires in the status of each kind. */
const required: Record<string, JsonObject> = {
  ReplicaSet: { replicas: 0 },
  StatefulSet: { replicas: 0, availableReplicas: 0 },
  DaemonSet: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
};

const annotations = { 'resourcetemplate.karmada.io/generation': '1' };

describe.each(Object.keys(rulesOf))('%s', (kind) => {
  const rules = rulesOf[kind]!;
  const set = (fields: object = {}, metadata: object = {}) => objectOf('apps/v1', kind, fields, metadata);
  const counted = (from: number): JsonObject =>
    Object.fromEntries(counters[kind]!.map((name, index) => [name, from + index]));

  test('FED-12: status in the Work: counters with both generations', () => {
    const observed = set(
      {
        status: { ...counted(1), observedGeneration: 2, collisionCount: 4, fullyLabeledReplicas: 2, conditions: [{}] },
      },
      { generation: 2, annotations },
    );
    expect(rules.reflect!(observed)).toEqual({
      ...counted(1),
      observedGeneration: 2,
      generation: 2,
      resourceTemplateGeneration: 1,
    });
  });

  test('FED-12: an empty status keeps the counters that Kubernetes requires', () => {
    expect(rules.reflect!(set({ status: {} }, { generation: 2, annotations }))).toEqual({
      ...required[kind],
      generation: 2,
      resourceTemplateGeneration: 1,
    });
  });

  test('FED-12: nothing without a status, an error without the template’s generation', () => {
    expect(rules.reflect!(set({}, { generation: 2, annotations }))).toBeUndefined();
    expect(() => rules.reflect!(set({ status: counted(1) }, { generation: 2 }))).toThrow('is not a number');
  });

  test('FED-12: counters are summed', () => {
    const sum = Object.fromEntries(counters[kind]!.map((name, index) => [name, 11 + 2 * index]));
    expect(rules.aggregate!(set(), reports(counted(1), counted(10)))['status']).toEqual(sum);
    const template = set({ status: { ...sum, collisionCount: 2 } });
    expect(rules.aggregate!(template, reports(counted(1), counted(10)))).toBe(template);
  });

  const seen = { generation: 7, observedGeneration: 7, resourceTemplateGeneration: 3 };

  test.each([
    ['every cluster has seen it', [seen, seen], 3],
    ['one has an older template', [seen, { ...seen, resourceTemplateGeneration: 2 }], 1],
    ['the controller of one is behind', [seen, { ...seen, observedGeneration: 6 }], 1],
    ['one has not reported', [seen, undefined], 1],
  ])('FED-12: the generation is observed where %s', (_case, statuses, expected) => {
    const template = set({ status: { observedGeneration: 1 } }, { generation: 3 });
    expect(rules.aggregate!(template, reports(...statuses))['status']).toMatchObject({ observedGeneration: expected });
  });
});

test.each(['ReplicaSet', 'StatefulSet'])('FED-5: replicas of a %s, and revised ones', (kind) => {
  const rules = rulesOf[kind]!;
  const set = objectOf('apps/v1', kind, { spec: { replicas: 3 } });
  expect(rules.replicas!(set)).toEqual({ replicas: 3 });
  expect(rules.replicas!(objectOf('apps/v1', kind, { spec: {} }))).toEqual({ replicas: 1 });
  expect(rules.revise!(set, 5)['spec']).toEqual({ replicas: 5 });
});

test.each([
  ['ReplicaSet', 'available', { observedGeneration: 1, availableReplicas: 3 }, 'Healthy'],
  ['ReplicaSet', 'an older generation', { observedGeneration: 0, availableReplicas: 3 }, 'Unhealthy'],
  ['ReplicaSet', 'not all available', { observedGeneration: 1, availableReplicas: 2 }, 'Unhealthy'],
  ['StatefulSet', 'rolled out', { observedGeneration: 1, updatedReplicas: 3, availableReplicas: 3 }, 'Healthy'],
  [
    'StatefulSet',
    'an older generation',
    { observedGeneration: 0, updatedReplicas: 3, availableReplicas: 3 },
    'Unhealthy',
  ],
  ['StatefulSet', 'not all updated', { observedGeneration: 1, updatedReplicas: 2, availableReplicas: 3 }, 'Unhealthy'],
  [
    'StatefulSet',
    'not all available',
    { observedGeneration: 1, updatedReplicas: 3, availableReplicas: 2 },
    'Unhealthy',
  ],
  [
    'DaemonSet',
    'rolled out',
    { observedGeneration: 1, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 },
    'Healthy',
  ],
  ['DaemonSet', 'an older generation', { observedGeneration: 0 }, 'Unhealthy'],
  [
    'DaemonSet',
    'not all updated',
    { observedGeneration: 1, desiredNumberScheduled: 3, updatedNumberScheduled: 2, numberAvailable: 2 },
    'Unhealthy',
  ],
  [
    'DaemonSet',
    'not all available',
    { observedGeneration: 1, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 },
    'Unhealthy',
  ],
])('FED-12: health of a %s, %s', (kind, _case, status, expected) => {
  const observed = objectOf('apps/v1', kind, { spec: { replicas: 3 }, status }, { generation: 1 });
  expect(rulesOf[kind]!.health!(observed)).toBe(expected);
});

test('FED-11: claims that a StatefulSet makes itself are no dependencies', () => {
  const volumes = ['test-pvc', 'other-pvc'].map((claimName) => ({ persistentVolumeClaim: { claimName } }));
  const secret = { secret: { secretName: 'test-pvc' } };
  const spec = {
    template: { spec: { volumes: [...volumes, secret] } },
    volumeClaimTemplates: [{ metadata: { name: 'test-pvc' } }],
  };
  expect(statefulSetRules.dependencies!(objectOf('apps/v1', 'StatefulSet', { spec }))).toEqual([
    { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'test-pvc' },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default', name: 'other-pvc' },
  ]);
});
