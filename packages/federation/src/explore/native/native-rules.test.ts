import { describe, expect, test } from 'vitest';
import type { ObjectRules } from '../object-rules.ts';
import { nativeRulesOf } from './native-rules.ts';
import { objectOf, reports } from './testing.ts';

type Operation = keyof ObjectRules;

const kinds: readonly (readonly [string, string, readonly Operation[]])[] = [
  ['apps/v1', 'Deployment', ['replicas', 'revise', 'pack', 'retain', 'reflect', 'aggregate', 'health', 'dependencies']],
  ['apps/v1', 'ReplicaSet', ['replicas', 'revise', 'reflect', 'aggregate', 'health', 'dependencies']],
  ['apps/v1', 'StatefulSet', ['replicas', 'revise', 'reflect', 'aggregate', 'health', 'dependencies']],
  ['apps/v1', 'DaemonSet', ['reflect', 'aggregate', 'health', 'dependencies']],
  ['batch/v1', 'Job', ['replicas', 'revise', 'divided', 'pack', 'retain', 'reflect', 'aggregate', 'dependencies']],
  ['batch/v1', 'CronJob', ['aggregate', 'dependencies']],
  ['v1', 'Pod', ['replicas', 'retain', 'aggregate', 'health', 'dependencies']],
  ['v1', 'Service', ['pack', 'retain', 'reflect', 'aggregate', 'health']],
  ['networking.k8s.io/v1', 'Ingress', ['aggregate', 'health', 'dependencies']],
  ['v1', 'PersistentVolumeClaim', ['pack', 'retain', 'aggregate', 'health']],
  ['v1', 'PersistentVolume', ['retain', 'aggregate']],
  ['v1', 'ServiceAccount', ['pack', 'retain']],
  ['v1', 'Secret', ['pack', 'retain']],
  ['policy/v1', 'PodDisruptionBudget', ['reflect', 'aggregate', 'health']],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', ['reflect', 'aggregate']],
];

test.each(kinds)('FED-12: what is known of %s %s', (apiVersion, kind, operations) => {
  expect(Object.keys(nativeRulesOf(apiVersion, kind) ?? {}).sort()).toEqual([...operations].sort());
});

test.each([
  ['v1', 'ConfigMap'],
  ['apps/v1beta1', 'Deployment'],
  ['autoscaling/v1', 'HorizontalPodAutoscaler'],
  ['example.com/v1', 'Job'],
])('FED-12: %s %s has no native rules', (apiVersion, kind) => {
  expect(nativeRulesOf(apiVersion, kind)).toBeUndefined();
});

const status = {
  replicas: 1,
  phase: 'Pending',
  loadBalancer: { ingress: [{ ip: '8.8.8.8' }] },
  desiredReplicas: 1,
  currentNumberScheduled: 1,
  expectedPods: 1,
  active: 1,
  lastScheduleTime: '2026-01-01T00:00:00Z',
  observedGeneration: 4,
  generation: 4,
  resourceTemplateGeneration: 4,
};

describe.each(kinds.filter(([, , operations]) => operations.includes('aggregate')))('%s %s', (apiVersion, kind) => {
  const rules = nativeRulesOf(apiVersion, kind)!;
  const template = objectOf(apiVersion, kind, { spec: { type: 'LoadBalancer' } }, { generation: 4 });

  test('FED-12: aggregating again returns the same object', () => {
    const items = reports(status, { ...status }, undefined);
    const once = rules.aggregate!(template, items);
    expect(once).not.toBe(template);
    expect(once.metadata).toBe(template.metadata);
    const stored = { ...once, status: JSON.parse(JSON.stringify(once['status'])) };
    expect(rules.aggregate!(stored, items)).toBe(stored);
  });

  test('FED-12: aggregating nothing, and empty statuses, is no error', () => {
    expect(() => rules.aggregate!(template, [])).not.toThrow();
    expect(() => rules.aggregate!(template, reports({}, undefined))).not.toThrow();
  });
});

describe.each(kinds)('%s %s', (apiVersion, kind) => {
  const rules = nativeRulesOf(apiVersion, kind)!;
  const bare = objectOf(apiVersion, kind);

  test('objects without spec and status are no error', () => {
    expect(rules.retain?.(bare, bare) ?? bare).toEqual(bare);
    expect(rules.pack?.(bare) ?? bare).toBe(bare);
    expect(rules.reflect?.(bare)).toBeUndefined();
    expect(rules.dependencies?.(bare) ?? []).toEqual([]);
    expect(() => rules.health?.(bare)).not.toThrow();
  });

  test('a status that is no object is an error', () => {
    const broken = objectOf(apiVersion, kind, { spec: { type: 'LoadBalancer' }, status: 'invalid' });
    if (rules.reflect) expect(() => rules.reflect!(broken)).toThrow(`the status of ${kind} nginx is not an object`);
  });
});
