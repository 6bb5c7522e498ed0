import type { KubeObject } from '@fleet/client/kube-client.ts';
import { expect, it, vi } from 'vitest';
import { clustersPath, namespacesPath } from '../api/paths.ts';
import { fakePipeline } from '../testing/fake-pipeline.ts';
import { keepSpaces } from './spaces-controller.ts';

const settled = { timeout: 15_000, interval: 25 };

it('FED-1: a cluster that reports its status is no reason to ask for its execution space again', async () => {
  await using made = await fakePipeline();
  const { client } = made.fake;
  const create = vi.spyOn(client, 'create');
  await using _spaces = keepSpaces(made.pipeline);
  const join = (name: string) =>
    client.create(clustersPath, { kind: 'Cluster', metadata: { name }, spec: {} } as KubeObject);
  /** How often the space of the first was. */
  const asked = () =>
    create.mock.calls.filter(
      ([path, object]) => path === namespacesPath && (object as KubeObject).metadata.name === 'karmada-es-m1',
    ).length;
  await join('m1');
  const space = { apiVersion: 'v1', kind: 'Namespace', name: 'karmada-es-m1' };
  await vi.waitFor(() => expect(made.pipeline.templates.get(space)).toBeDefined(), settled);
  await vi.waitFor(async () => {
    const { metadata } = await client.get<KubeObject>(`${clustersPath}/m1`);
    expect(metadata.finalizers).toEqual(['karmada.io/cluster-controller']);
  }, settled);
  const before = asked();
  await client.patch(`${clustersPath}/m1/status`, 'merge', { status: { conditions: [] } });
  // One of another cluster, so that what comes before it has been seen.
  await join('m2');
  await vi.waitFor(() => expect(made.events).toContain('Cluster m2: CreateExecutionSpaceSucceed'), settled);
  expect(asked()).toBe(before);
});
