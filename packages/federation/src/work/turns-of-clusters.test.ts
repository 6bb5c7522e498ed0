import { expect, it, vi } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { clustersPath, inNamespace, namespacesPath, overridePoliciesPath, resourceBindingsPath } from '../api/paths.ts';
import { namespaceNamed } from '../testing/fake-federation.ts';
import { fakePipeline } from '../testing/fake-pipeline.ts';
import { keepWorks } from './work-controller.ts';

const settled = { timeout: 15_000, interval: 25 };

it('SEC-3, FED-7: between large overrides of two clusters the event loop turns', async () => {
  await using made = await fakePipeline();
  const { client } = made.fake;
  const names = ['m1', 'm2', 'm3'];
  await client.create(namespacesPath, namespaceNamed('shop'));
  for (const name of names)
    await client.create(clustersPath, { kind: 'Cluster', metadata: { name }, spec: {} } as never);
  // The last one fails, so that nothing is written: a write would free the event loop, too.
  const added = Array.from({ length: 1_000 }, (_, i) => ({ path: `/key-${i}`, operator: 'add', value: 1 }));
  const plaintext = [...added, { path: '/none/x', operator: 'add', value: 1 }];
  await client.create(inNamespace(overridePoliciesPath, 'shop'), {
    metadata: { name: 'o' },
    spec: { overrideRules: [{ overriders: { plaintext } }] },
  } as never);
  const template = await client.create<AnyObject>('/api/v1/namespaces/shop/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  });
  let turn = 0;
  let ticking = true;
  const tick = () => {
    turn++;
    if (ticking) setImmediate(tick);
  };
  const turnsOfFailures: number[] = [];
  const pipeline: typeof made.pipeline = {
    ...made.pipeline,
    record: (_about, _type, reason) => {
      if (reason === 'ApplyOverridePolicyFailed') turnsOfFailures.push(turn);
    },
  };
  await using _works = keepWorks(pipeline);
  tick();
  await client.create(inNamespace(resourceBindingsPath, 'shop'), {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'a-configmap', labels: { 'resourcebinding.karmada.io/permanent-id': 'x' } },
    spec: {
      resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a', uid: template.metadata.uid },
      clusters: names.map((name) => ({ name })),
    },
  } as never);
  await vi.waitFor(() => expect(turnsOfFailures.length).toBeGreaterThanOrEqual(names.length), settled);
  ticking = false;
  expect(new Set(turnsOfFailures.slice(0, names.length)).size).toBe(names.length);
});
