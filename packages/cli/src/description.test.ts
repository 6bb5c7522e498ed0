import { expect, it } from 'vitest';
import { describeCluster } from './description.ts';

it('CLU-1: fleet describe cluster prints what is known, and omits the rest', () => {
  const text = describeCluster({
    metadata: { name: 'member1', labels: { env: 'prod' }, creationTimestamp: '2026-01-02T03:04:05Z' },
    spec: { syncMode: 'Push', apiEndpoint: 'https://m1:6443', taints: [{ key: 'k', effect: 'NoSchedule' }] },
    status: {
      kubernetesVersion: 'v1.36.3',
      nodeSummary: { totalNum: 3, readyNum: 2 },
      resourceSummary: { allocatable: { cpu: '8' }, allocating: {}, allocated: { cpu: '250m' } },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'ClusterReady',
          message: 'cluster is healthy and ready',
          lastTransitionTime: '2026-01-02T03:05:00Z',
        },
      ],
    },
  });
  expect(text).toBe(`Name:      member1
Labels:    env=prod
Created:   2026-01-02T03:04:05Z
Mode:      Push
Endpoint:  https://m1:6443
Version:   v1.36.3
Nodes:     2 ready of 3
Taints:    k:NoSchedule
Conditions:
  Type   Status  Reason        Since                 Message
  Ready  True    ClusterReady  2026-01-02T03:05:00Z  cluster is healthy and ready
Resources:
  Name  Allocatable  Allocated  Allocating
  cpu   8            250m       0
`);
});

it('a cluster that nobody has looked at yet', () => {
  expect(describeCluster({ metadata: { name: 'new' }, spec: { syncMode: 'Push' } })).toBe(
    'Name:    new\nMode:    Push\nTaints:  <none>\nConditions:  <none>\n',
  );
});

it('KS-1: one that is switched off', () => {
  const annotations = { 'cluster.kubesphere.io/active': 'false' };
  const text = describeCluster({ metadata: { name: 'off', annotations }, spec: { syncMode: 'Push' } });
  expect(text).toContain('Active:  false: taken out of all views by an annotation\n');
});

it('resources are those of the cluster, whatever they are called', () => {
  const resourceSummary = { allocatable: { constructor: '1' }, allocating: {}, allocated: {} };
  const text = describeCluster({
    metadata: { name: 'member1' },
    spec: { syncMode: 'Push' },
    status: { resourceSummary },
  });
  expect(text).toMatch(/^ {2}constructor {2}1 {12}0 {10}0$/m);
});

it('FED-25: a condition that others wrote without a reason', () => {
  const lastTransitionTime = '2026-01-02T03:05:00Z';
  const text = describeCluster({
    metadata: { name: 'member1' },
    spec: { syncMode: 'Push' },
    status: { conditions: [{ type: 'Full', status: 'True', message: 'disk', lastTransitionTime }] },
  });
  expect(text).toContain('Full  True            2026-01-02T03:05:00Z  disk\n');
});
