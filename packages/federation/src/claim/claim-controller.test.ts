import { describe, expect, it, vi } from 'vitest';
import type { Binding } from '../api/bindings.ts';
import { inNamespace, namespacesPath, propagationPoliciesPath, resourceBindingsPath } from '../api/paths.ts';
import { fakePipeline } from '../testing/fake-pipeline.ts';
import { claimTemplates } from './claim-controller.ts';
import { claimOn } from './claim-marks.ts';

const settled = { timeout: 10_000, interval: 20 };
const policies = inNamespace(propagationPoliciesPath, 'shop');
const place = { group: 'apps', resource: 'deployments', namespace: 'shop' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'web' },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }], placement: {} },
};

async function started() {
  const stack = new AsyncDisposableStack();
  const made = stack.use(await fakePipeline());
  const { fake } = made;
  await fake.client.create(namespacesPath, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await fake.client.create('/apis/apps/v1/namespaces/shop/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1 },
  });
  stack.use(claimTemplates(made.pipeline));
  /** Its deletion comes before a write of the controller that does not know of it yet. */
  const deletedBeforeTheClaim = vi.fn<() => void>();
  const deleteBeforeTheClaim = () => {
    fake.onRequest = ({ verb, resource }) => {
      if (verb !== 'patch' || resource !== place.resource) return;
      fake.onRequest = undefined;
      fake.objects.delete(place, 'web');
      deletedBeforeTheClaim();
    };
  };
  return { ...made, deleteBeforeTheClaim, deletedBeforeTheClaim, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const bindingsOf = async ({ fake }: Awaited<ReturnType<typeof started>>): Promise<string[]> => {
  const { items } = await fake.client.get<{ items: { metadata: { name: string } }[] }>(
    inNamespace(resourceBindingsPath, 'shop'),
  );
  return items.map(({ metadata }) => metadata.name);
};

it('FED-12: the status that comes back to a template does not change its binding', async () => {
  await using made = await started();
  const { client } = made.fake;
  const replaced = () => made.fake.writes.filter((write) => write.startsWith('PUT ')).length;
  const generation = () => made.pipeline.templates.get(deployment)?.metadata.generation;
  await client.create(policies, policy);
  await vi.waitFor(async () => expect(await bindingsOf(made)).toEqual(['web-deployment']), settled);
  // The claim is a change of the template, too.
  await vi.waitFor(() => expect(claimOn(made.pipeline.templates.get(deployment)!)?.name).toBe('web'), settled);
  const path = '/apis/apps/v1/namespaces/shop/deployments/web';
  await client.patch(path, 'merge', { spec: { replicas: 2 } });
  await vi.waitFor(() => expect(generation()).toBe(2), settled);
  await vi.waitFor(() => expect(replaced()).toBeGreaterThan(0), settled);
  const before = replaced();
  for (const replicas of [1, 2]) await client.patch(`${path}/status`, 'merge', { status: { replicas } });
  await client.patch(path, 'merge', { spec: { replicas: 3 } });
  await vi.waitFor(async () => {
    const { spec } = await client.get<Binding>(`${inNamespace(resourceBindingsPath, 'shop')}/web-deployment`);
    expect(spec.replicas).toBe(3);
  }, settled);
  expect(replaced()).toBe(before + 1);
});

describe('FED-3: a template that is deleted meanwhile', () => {
  it('is not claimed, has no binding, and is no failure', async () => {
    await using made = await started();
    made.deleteBeforeTheClaim();
    await made.fake.client.create(policies, policy);
    await vi.waitFor(() => expect(made.deletedBeforeTheClaim).toHaveBeenCalled(), settled);
    await vi.waitFor(() => expect(made.pipeline.templates.get(deployment)).toBeUndefined(), settled);
    expect(await bindingsOf(made)).toEqual([]);
    expect(made.failures).toEqual([]);
    expect(made.events).toEqual([]);
  });

  it('is not released, and is no failure', async () => {
    await using made = await started();
    await made.fake.client.create(policies, policy);
    await vi.waitFor(async () => expect(await bindingsOf(made)).toEqual(['web-deployment']), settled);
    const template = () => made.pipeline.templates.get(deployment);
    await vi.waitFor(() => expect(claimOn(template()!)?.name).toBe('web'), settled);
    made.deleteBeforeTheClaim();
    await made.fake.client.delete(`${policies}/web`);
    await vi.waitFor(() => expect(made.deletedBeforeTheClaim).toHaveBeenCalled(), settled);
    await vi.waitFor(() => expect(template()).toBeUndefined(), settled);
    expect(made.failures).toEqual([]);
  });
});
