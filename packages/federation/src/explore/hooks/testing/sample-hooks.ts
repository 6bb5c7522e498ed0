/** Hooks and objects for tests. */

import type { AnyObject } from '../../../api/objects.ts';
import type { FactsOfKind, Hook, Operation } from '../hook-model.ts';
import { operations } from '../hook-model.ts';

export const workload = (more: Record<string, unknown> = {}): AnyObject => ({
  apiVersion: 'workload.example.io/v1alpha1',
  kind: 'Workload',
  metadata: { name: 'nginx', namespace: 'default', uid: 'u1', generation: 3 },
  spec: { replicas: 3, template: { spec: { containers: [{ name: 'nginx', image: 'nginx' }] } } },
  ...more,
});

export const hookOf = (more: Partial<Hook> = {}, asked: readonly Operation[] = operations): Hook => ({
  configuration: 'examples',
  name: 'workloads.example.com',
  codec: 'explore',
  client: { at: 'url', url: 'https://hooks.invalid/explore' },
  rules: [
    {
      operations: asked,
      groups: ['workload.example.io'],
      versions: ['*'],
      what: { by: 'resource', resources: ['workloads'], scope: 'Namespaced' },
    },
  ],
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
  version: 'v1alpha1',
  ...more,
});

const kinds: Record<string, { plural: string; namespaced: boolean }> = {
  Workload: { plural: 'workloads', namespaced: true },
  ConfigMap: { plural: 'configmaps', namespaced: true },
  Secret: { plural: 'secrets', namespaced: true },
  ClusterRole: { plural: 'clusterroles', namespaced: false },
};

export const factsOf: FactsOfKind = ({ kind }) => kinds[kind];
