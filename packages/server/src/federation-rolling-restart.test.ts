import type { KubeObject } from '@fleet/client/kube-client.ts';
import {
  clustersPath,
  inNamespace,
  namespacesPath,
  propagationPoliciesPath,
  worksPath,
} from '@fleet/federation/api/paths.ts';
import { runFederation } from '@fleet/federation/run-federation.ts';
import { type FakeControlPlane, fakeControlPlane } from '@fleet/federation/testing/fake-control-plane.ts';
import { servedKinds } from '@fleet/federation/testing/fake-pipeline.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { federationLease, federationLeasePath, refuseLeftovers } from './federation-leftovers.ts';
import { disabledSwitch, type Switch, switchesPath, switchPath } from './federation-off.ts';

const settled = { timeout: 10_000, interval: 25 };
const maps = '/api/v1/namespaces/shop/configmaps';

let controlPlane: FakeControlPlane;
let member: FakeControlPlane;

beforeEach(async () => {
  controlPlane = fakeControlPlane();
  member = fakeControlPlane();
  const { client } = controlPlane;
  for (const name of ['karmada-cluster', 'shop'])
    await client.create(namespacesPath, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await client.create(federationLeasePath.replace(/\/[^/]+$/, ''), { metadata: { name: federationLease } });
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'm1' }, spec: {} };
  await client.create(clustersPath, cluster);
  const apiEnablements = servedKinds.map(({ apiVersion, kind }) => ({
    groupVersion: apiVersion,
    resources: [{ kind }],
  }));
  await client.patch(`${clustersPath}/m1/status`, 'merge', {
    status: { apiEnablements, conditions: [{ type: 'Ready', status: 'True' }] },
  });
});

/** The replica that leads the federation. */
function startReplica(): AsyncDisposable {
  const ending = new AbortController();
  const running = runFederation(
    {
      controlPlane: controlPlane.client,
      connections: { client: () => member.client },
      served: { current: () => servedKinds, onChange: () => ({ [Symbol.dispose]() {} }) },
      scheduling: { isFederated: () => true, isActive: () => true },
      hooks: { resolveService: () => undefined },
      log: { info() {}, warn() {} },
      isEmbedded: true,
    },
    ending.signal,
  );
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running.catch((error: unknown) => expect(error).toBe(ending.signal.reason));
    },
  };
}

const isInMember = (): Promise<boolean> =>
  member.client.get(`${maps}/one`).then(
    () => true,
    () => false,
  );

const done = () =>
  vi.waitFor(async () => {
    expect(await controlPlane.client.get<Switch>(switchPath)).toMatchObject({ data: { done: 'true' } });
  }, settled);

async function propagate(): Promise<void> {
  const { client } = controlPlane;
  await client.create(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } } as KubeObject);
  await client.create(inNamespace(propagationPoliciesPath, 'shop'), {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'p' },
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }], placement: {} },
  } as KubeObject);
  await vi.waitFor(async () => expect(await isInMember()).toBe(true), settled);
}

it('FED-38: after disable, replicas that start without --federation one by one do not turn it on in the others', async () => {
  const { client } = controlPlane;
  {
    await using _first = startReplica();
    await propagate();
    await client.create(switchesPath, disabledSwitch('delete'));
    await done();
    expect(await isInMember()).toBe(false);
    // The second replica, as the command prints.
    await refuseLeftovers(client);
  }
  {
    // Another one with --federation leads now.
    await client.patch(switchPath, 'merge', { data: { done: null } });
    await using _third = startReplica();
    await done();
  }
  expect((await client.list(worksPath)).items).toEqual([]);
  expect(await isInMember()).toBe(false);
  await expect(refuseLeftovers(client)).resolves.toBeUndefined();
});
