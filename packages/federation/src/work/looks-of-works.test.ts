import { expect, it, vi } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { clustersPath, inNamespace, namespacesPath, resourceBindingsPath } from '../api/paths.ts';
import { namespaceNamed } from '../testing/fake-federation.ts';
import { fakePipeline } from '../testing/fake-pipeline.ts';
import { keepWorks } from './work-controller.ts';

const settled = { timeout: 15_000, interval: 25 };
const bindings = inNamespace(resourceBindingsPath, 'shop');
const deployments = '/apis/apps/v1/namespaces/shop/deployments';

it('FED-7: a status that comes back is no reason to make the manifests of all clusters again', async () => {
  await using made = await fakePipeline();
  const { client } = made.fake;
  for (const name of ['shop', 'karmada-es-m1']) await client.create(namespacesPath, namespaceNamed(name));
  await client.create(clustersPath, { kind: 'Cluster', metadata: { name: 'm1' }, spec: {} } as never);
  const template = await client.create<AnyObject>(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replicas: 1 },
  });
  const pack = vi.spyOn(made.pipeline.explorer, 'pack');
  await using _works = keepWorks(made.pipeline);
  await client.create(bindings, {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'a-deployment',
      labels: { 'resourcebinding.karmada.io/permanent-id': 'x' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', uid: template.metadata.uid }],
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'a', uid: template.metadata.uid },
      clusters: [{ name: 'm1' }],
    },
  } as never);
  const isWritten = () => expect(made.fake.writes).toContainEqual(expect.stringContaining('/karmada-es-m1/works'));
  await vi.waitFor(isWritten, settled);
  // The Work itself comes by once more.
  await vi.waitFor(() => expect(pack).toHaveBeenCalledTimes(2), settled);
  await client.patch(`${bindings}/a-deployment/status`, 'merge', { status: { aggregatedStatus: [] } });
  await client.patch(`${deployments}/a/status`, 'merge', { status: { replicas: 1 } });
  await client.patch(`${deployments}/a`, 'merge', { spec: { replicas: 2 } });
  // Of three changes the last one alone.
  await vi.waitFor(() => expect(made.fake.writes).toContainEqual(expect.stringMatching(/^PUT .*works/)), settled);
  await vi.waitFor(() => expect(pack).toHaveBeenCalledTimes(4), settled);
});
