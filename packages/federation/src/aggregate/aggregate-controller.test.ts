import { expect, it, vi } from 'vitest';
import type { Binding } from '../api/bindings.ts';
import { inNamespace, namespacesPath, resourceBindingsPath, worksPath } from '../api/paths.ts';
import { namespaceNamed } from '../testing/fake-federation.ts';
import { fakePipeline } from '../testing/fake-pipeline.ts';
import { aggregateStatus } from './aggregate-controller.ts';

const settled = { timeout: 15_000, interval: 25 };
const bindings = inNamespace(resourceBindingsPath, 'shop');
const labels = { 'resourcebinding.karmada.io/permanent-id': 'x' };
const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } };

it('FED-12, FED-16: reports of many clusters are written together', async () => {
  await using made = await fakePipeline();
  const { client, writes } = made.fake;
  const clusters = Array.from({ length: 50 }, (_, index) => `m${index}`);
  await using _aggregating = aggregateStatus(made.pipeline);
  await client.create(namespacesPath, namespaceNamed('shop'));
  await client.create(bindings, {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'a-configmap', labels },
    spec: {
      resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a' },
      clusters: clusters.map((name) => ({ name })),
    },
  });
  for (const name of clusters) {
    const works = inNamespace(worksPath, `karmada-es-${name}`);
    await client.create(namespacesPath, namespaceNamed(`karmada-es-${name}`));
    await client.create(works, {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name: 'a', labels },
      spec: { workload: { manifests: [manifest] } },
    });
    const applied = { type: 'Applied', status: 'True', reason: '', message: '', lastTransitionTime: '' };
    await client.patch(`${works}/a/status`, 'merge', { status: { conditions: [applied] } });
  }
  await vi.waitFor(async () => {
    const { status } = await client.get<Binding>(`${bindings}/a-configmap`);
    expect(status?.aggregatedStatus?.filter(({ applied }) => applied)).toHaveLength(clusters.length);
    expect(status?.conditions).toMatchObject([{ type: 'FullyApplied', status: 'True' }]);
  }, settled);
  const written = writes.filter((write) => write === `PATCH ${bindings}/a-configmap/status`);
  expect(written.length).toBeLessThanOrEqual(10);
});
