import { describe, expect, test } from 'vitest';
import { requirementsOf } from './pod-requests.ts';
import { frozen } from './testing.ts';

const container = (requests: object | undefined, limits?: object) => ({
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});

const requestOf = (podSpec: object) => requirementsOf(frozen({ ...podSpec }), undefined)?.resourceRequest;

describe('FED-6: what one replica requests', () => {
  test('nothing', () => {
    expect(requirementsOf({}, 'default')).toBeUndefined();
    expect(
      requirementsOf({ containers: [container(undefined)], priorityClassName: 'high' }, 'default'),
    ).toBeUndefined();
  });

  test('a limit stands in for a missing request, for each resource', () => {
    const limits = { cpu: '200m', memory: '1Gi' };
    expect(requestOf({ containers: [container(undefined, limits)] })).toEqual({ cpu: '200m', memory: '1Gi' });
    expect(requestOf({ containers: [container({ cpu: '100m' }, limits)] })).toEqual({ cpu: '100m', memory: '1Gi' });
  });

  test('containers are summed, init containers are a minimum, the overhead is added', () => {
    const requests = { cpu: '10m', memory: '10', 'test.karmada.io/foo': '10', 'test.karmada.io/bar': '10' };
    const limits = { memory: '99999', pods: '10', 'test.karmada.io/bar': '99999', 'test.karmada.io/baz': '10' };
    const first = { cpu: '5m', memory: '10', 'test.karmada.io/foo': '5', 'test.karmada.io/bar': '10' };
    const firstLimits = { ...limits, pods: '20', 'test.karmada.io/baz': '20' };
    const others = { 'test.karmada.io/foo': '5', 'test.karmada.io/bar': '5', 'test.karmada.io/baz': '5' };
    const overhead = { cpu: '5m', memory: '5', 'ephemeral-storage': '5', pods: '5', ...others };
    const spec = {
      containers: [container(requests, limits)],
      initContainers: [container(first, firstLimits)],
      overhead,
    };
    expect(requestOf(spec)).toEqual({
      cpu: '15m',
      memory: '15',
      'ephemeral-storage': '5',
      pods: '25',
      'test.karmada.io/foo': '15',
      'test.karmada.io/bar': '15',
      'test.karmada.io/baz': '25',
    });
    expect(requestOf({ containers: [container({ cpu: '1' }), container({ cpu: '500m' })] })).toEqual({ cpu: '1500m' });
  });

  test.each([
    ['cpu', '0.0001', '1m'],
    ['cpu', 2, '2'],
    ['memory', '0.5', '1'],
    ['memory', '128M', '125000Ki'],
    ['memory', '1000', '1k'],
    ['hugepages-2Mi', '4Mi', '4Mi'],
    ['nvidia.com/gpu', '2', '2'],
    ['attachable-volumes-aws-ebs', '1', '1'],
    ['example.kubernetes.io/foo', '1', '1'],
  ])('%s %s is %s', (name, quantity, expected) => {
    expect(requestOf({ containers: [container({ [name]: quantity })] })).toEqual({ [name]: expected });
  });

  test.each(['storage', 'requests.example.com/foo', 'foo'])('%s is nothing that nodes have', (name) => {
    expect(requestOf({ containers: [container({ [name]: '1' })] })).toBeUndefined();
  });

  test('zeros are nothing', () => {
    expect(requestOf({ containers: [container({ cpu: '0' })] })).toBeUndefined();
  });
});

describe('FED-6: the nodes that a replica runs on', () => {
  const terms = { nodeSelectorTerms: [{ matchFields: [{ key: 'foo', operator: 'Exists' }] }] };
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: terms,
      preferredDuringSchedulingIgnoredDuringExecution: [{}],
    },
  };
  const tolerations = [{ key: 'foo', operator: 'Exists', effect: 'NoSchedule' }];
  const nodeSelector = { foo: 'foo1' };

  test('by selector, hard affinity and tolerations', () => {
    expect(requirementsOf({ affinity, tolerations, nodeSelector }, undefined)).toEqual({
      nodeClaim: { hardNodeAffinity: terms, nodeSelector, tolerations },
    });
  });

  test('preferences and empty fields are no claim', () => {
    const preferred = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{}] } };
    expect(requirementsOf({ affinity: preferred, tolerations: [], nodeSelector: {} }, 'default')).toBeUndefined();
  });

  test('with namespace and priority class', () => {
    expect(requirementsOf({ nodeSelector, priorityClassName: 'high' }, 'default')).toEqual({
      nodeClaim: { nodeSelector },
      namespace: 'default',
      priorityClassName: 'high',
    });
  });
});
