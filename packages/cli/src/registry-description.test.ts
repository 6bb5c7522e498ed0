import type { ResourceRegistry } from '@fleet/server/registries/resource-registry.ts';
import { expect, it } from 'vitest';
import { describeRegistry, sizeText } from './registry-description.ts';

const registry: ResourceRegistry = {
  metadata: { name: 'workloads', creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: {
    targetCluster: { exclude: ['member9'], labelSelector: { matchLabels: { tier: 'gold' } } },
    resourceSelectors: [
      { apiVersion: 'v1', kind: 'Pod', namespace: 'shop' },
      { apiVersion: 'apps/v1', kind: 'Deployment' },
    ],
  },
};

it('CACHE-2: fleet describe registry shows what is filled, how large it is, and how fresh', () => {
  const text = describeRegistry({
    ...registry,
    status: {
      conditions: [
        {
          type: 'Synced',
          status: 'False',
          reason: 'Unreachable',
          message: '1 of 2 synced.',
          lastTransitionTime: '2026-01-02T03:05:00Z',
        },
      ],
      summary: {
        clusters: 2,
        resources: 1,
        synced: 1,
        total: 2,
        progress: '1/2',
        notServed: 0,
        objects: 12,
        bytes: 5_242_880,
      },
      resources: [
        {
          cluster: 'member1',
          apiVersion: 'apps/v1',
          resource: 'deployments',
          kind: 'Deployment',
          synced: true,
          objects: 12,
          bytes: 5_242_880,
          lastEventTime: '2026-01-02T03:06:00Z',
        },
        {
          cluster: 'member2',
          apiVersion: 'v1',
          resource: 'pods',
          kind: 'Pod',
          namespace: 'shop',
          synced: false,
          reason: 'Unreachable',
          objects: 0,
          bytes: 0,
          lastError: 'connect\n\u001bECONNREFUSED',
        },
      ],
      omittedResources: 7,
    },
  });
  expect(text).toBe(`Name:      workloads
Created:   2026-01-02T03:04:05Z
Kinds:     Pod (v1) in shop, Deployment (apps/v1)
Clusters:  not member9; tier=gold
Selected:  2 clusters, 1 resources
Synced:    1 of 2
Objects:   12
Memory:    5.0 MiB
Conditions:
  Type    Status  Reason       Since                 Message
  Synced  False   Unreachable  2026-01-02T03:05:00Z  1 of 2 synced.
Resources:
  Cluster  Resource          State        Objects  Memory   Last event            Error
  member1  deployments.apps  Synced       12       5.0 MiB  2026-01-02T03:06:00Z
  member2  pods in shop      Unreachable  0        0 B      <none>                connect ECONNREFUSED
  and 7 more
`);
});

it('a registry without a status, as where Karmada serves the kind', () => {
  const { metadata, spec } = registry;
  expect(describeRegistry({ metadata, spec: { ...spec, targetCluster: {} } })).toBe(`Name:      workloads
Created:   2026-01-02T03:04:05Z
Kinds:     Pod (v1) in shop, Deployment (apps/v1)
Clusters:  all
Synced:    <not known>
Conditions:  <none>
`);
});

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [150 * 1024, '150 KiB'],
  [3.25 * 1024 ** 3, '3.3 GiB'],
])('%d bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));
