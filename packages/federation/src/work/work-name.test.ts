import { describe, expect, test } from 'vitest';
import { bindingName, bindingReferenceKey, clusterOfSpace, executionSpaceOf, workName } from './work-name.ts';

const nameOf = (kind: string, name: string, namespace?: string) =>
  workName({ kind, metadata: { name, ...(namespace && { namespace }) } });

describe('FED-1: names of Works', () => {
  test.each([
    ['Deployment', 'nginx', 'default', 'nginx-687f7fb96f'],
    ['Namespace', 'test', undefined, 'test-69fd499b4c'],
    ['ClusterRole', 'system:foo', undefined, 'system.foo-5f7d88f69'],
  ])('%s %s of %s', (kind, name, namespace, expected) => {
    expect(nameOf(kind, name, namespace)).toBe(expected);
  });

  test('capitals are no difference', () => {
    expect(nameOf('deployment', 'NGINX', 'Default')).toBe('nginx-687f7fb96f');
  });

  test('names of other namespaces and kinds differ', () => {
    const names = [
      nameOf('Role', 'a:b', 'default'),
      nameOf('Role', 'a:b', 'other'),
      nameOf('RoleBinding', 'a:b', 'default'),
      nameOf('Role', 'a:b'),
    ];
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^a\.b-[456789bcdf]+$/);
  });
});

test.each([
  ['Pods', 'pod', 'pod-pods'],
  ['pods', 'Pod', 'pod-pods'],
  ['Role', 'system:controller:tom', 'system.controller.tom-role'],
  ['ClusterRole', 'system::tom', 'system..tom-clusterrole'],
  ['RoleBinding', 'system::tt:tom', 'system..tt.tom-rolebinding'],
])('FED-1: the binding of %s %s is %s', (kind, name, expected) => {
  expect(bindingName(kind, name)).toBe(expected);
});

test('FED-1: a cluster’s execution space, and back', () => {
  expect(executionSpaceOf('m1')).toBe('karmada-es-m1');
  expect(clusterOfSpace('karmada-es-m1')).toBe('m1');
  expect(clusterOfSpace('karmada-es-')).toBeUndefined();
  expect(clusterOfSpace('karmada-system')).toBeUndefined();
  expect(clusterOfSpace('x-karmada-es-m1')).toBeUndefined();
});

test('FED-11: references to bindings are distinguished', () => {
  const pairs = [
    ['prod-xxx', 'mytest-deployment'],
    ['qa-xxx', 'mytest-deployment'],
    [undefined, 'mytest-deployment'],
    ['a', 'b-c'],
    ['a-b', 'c'],
  ] as const;
  const keys = pairs.map(([namespace, name]) => bindingReferenceKey(namespace, name));
  expect(new Set(keys).size).toBe(pairs.length);
  for (const key of keys) expect(key).toMatch(/^[456789bcdf]+$/);
});
