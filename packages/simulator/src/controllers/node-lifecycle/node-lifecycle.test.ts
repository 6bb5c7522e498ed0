import { describe, expect, it } from 'vitest';
import type { Node } from '../../nodes/node.ts';
import { secondsTolerated } from '../taint-eviction/taint-eviction.ts';
import { nodeTaints, silentConditions } from './node-lifecycle.ts';

const node = (ready: string, spec: Node['spec'] = {}): Node => ({
  metadata: { name: 'a' },
  spec,
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const own = { key: 'example.com/own', effect: 'NoSchedule' };

describe('taints of a node', () => {
  it('are those of others only, where it is well', () => {
    expect(nodeTaints(node('True', { taints: [own] }), 0)).toBeUndefined();
    const taints = [own, { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
    expect(nodeTaints(node('True', { taints }), 0)).toEqual([own]);
  });

  it('show that it is silent, not ready or cordoned', () => {
    expect(
      nodeTaints(node('Unknown', { taints: [own], unschedulable: true }), 0)?.map(
        ({ key, effect }) => `${key}:${effect}`,
      ),
    ).toEqual([
      'example.com/own:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
    expect(nodeTaints(node('False'), 0)).toMatchObject([{ key: 'node.kubernetes.io/not-ready' }, {}]);
  });
});

it('what a silent node is, nobody knows', () => {
  expect(silentConditions([{ type: 'Ready', status: 'True' }], 0)).toMatchObject([
    { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
  ]);
});

describe('how long a pod stays', () => {
  const taints = [{ key: 'k', value: 'v', effect: 'NoExecute' }, own];
  it.each([
    [[], 0],
    [[{ key: 'k', operator: 'Exists' }], Number.POSITIVE_INFINITY],
    [[{ key: 'k', operator: 'Equal', value: 'other' }], 0],
    [[{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }], 300],
    [
      [
        { key: 'k', operator: 'Exists', tolerationSeconds: 20 },
        { operator: 'Exists', tolerationSeconds: 300 },
      ],
      20,
    ],
  ])('with %j is %d seconds', (tolerations, seconds) => {
    expect(secondsTolerated(taints, tolerations)).toBe(seconds);
  });
});
