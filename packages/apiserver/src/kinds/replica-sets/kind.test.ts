import { expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { replicaSets } from './kind.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: { a: 'b' } }, template };

it('WORKLOAD-2: a ReplicaSet has one replica, and keeps its selector', async () => {
  expect(decoded(replicaSets, { spec })['spec']).toMatchObject({ replicas: 1 });
  expect(await createFaults(replicaSets, { spec: { ...spec, minReadySeconds: -1 } })).toEqual([
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
  ]);
  const selector = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
  expect(await updateFaults(replicaSets, { spec }, { spec: { ...spec, selector } })).toEqual([
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Exists"}]}: field is immutable',
  ]);
});

it('WORKLOAD-2: its status counts pods that there are', async () => {
  const status = { replicas: 1, fullyLabeledReplicas: 2, availableReplicas: 1 };
  expect(await updateFaults(replicaSets, { spec }, { spec, status }, 'status')).toEqual([
    'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas',
  ]);
});
