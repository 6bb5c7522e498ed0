import type { KubeObject } from '@fleet/client/kube-client.ts';
import { describe, expect, it, vi } from 'vitest';
import { clusterOverridePoliciesPath, clustersPath, inNamespace, namespacesPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import { clustersOf } from '../pipeline.ts';
import { type FakePipeline, fakePipeline } from '../testing/fake-pipeline.ts';
import { keepNamespaces } from './namespaces-controller.ts';

const settled = { timeout: 10_000, interval: 20 };
const bindingsPath = '/apis/work.karmada.io/v1alpha2/resourcebindings';

async function started(chosenOnly = false) {
  const stack = new AsyncDisposableStack();
  const made = stack.use(await fakePipeline());
  const isFederated = ({ metadata }: KubeObject) => metadata.annotations?.['federated'] !== 'false';
  stack.use(keepNamespaces(made.pipeline, { chosenOnly, isFederated }));
  return { ...made, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const addNamespace = ({ fake }: FakePipeline, name: string, labels: Record<string, string> = {}) =>
  fake.client.create(namespacesPath, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });

/** What has been seen is worked on. */
const atRest = () => new Promise((resolve) => setTimeout(resolve, 100));

async function join(made: FakePipeline, name: string, labels: Record<string, string> = {}): Promise<void> {
  const { client } = made.fake;
  const metadata = { name, labels, finalizers: ['karmada.io/cluster-controller'] };
  await client.create(clustersPath, { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata, spec: {} });
  await vi.waitFor(() => expect(clustersOf(made.pipeline).get(name)).toBeDefined(), settled);
  await atRest();
  await addNamespace(made, `karmada-es-${name}`, { 'karmada.io/system': 'true' });
}

const worksIn = async ({ fake }: FakePipeline): Promise<Work[]> =>
  (await fake.client.list<Work>(worksPath)).items.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
const pathOf = ({ metadata }: Work): string => `${metadata.namespace}/${metadata.name}`;
const paths = async (made: FakePipeline) => (await worksIn(made)).map(pathOf);

describe('FED-10: the Works of namespaces', () => {
  it('are made for every member, owned by the Namespace, and marked without a binding', async () => {
    await using made = await started();
    await join(made, 'm1');
    await addNamespace(made, 'test', { team: 'a' });
    await addNamespace(made, 'skipped', { 'namespace.karmada.io/skip-auto-propagation': 'true' });
    await vi.waitFor(async () => expect(await paths(made)).toEqual(['karmada-es-m1/test-69fd499b4c']), settled);
    const [work] = await worksIn(made);
    const { metadata } = await made.fake.client.get<KubeObject>(`${namespacesPath}/test`);
    expect(work!.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        name: 'test',
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(work!.metadata.finalizers).toEqual(['karmada.io/execution-controller']);
    const [manifest] = work!.spec.workload?.manifests ?? [];
    expect(manifest?.metadata.labels).toMatchObject({ team: 'a', 'karmada.io/managed': 'true' });
    expect(Object.keys({ ...manifest?.metadata.labels, ...manifest?.metadata.annotations })).not.toContain(
      'resourcebinding.karmada.io/name',
    );
    expect(made.failures).toEqual([]);
  });

  it('are made for members that join later, and none fails while their execution space is missing', async () => {
    await using made = await started();
    await addNamespace(made, 'one');
    await addNamespace(made, 'two');
    await join(made, 'm1');
    await join(made, 'm2');
    await vi.waitFor(async () => expect(await paths(made)).toHaveLength(4), settled);
    expect(made.failures).toEqual([]);
  });

  it('follow changes of the Namespace, and are made again', async () => {
    await using made = await started();
    await join(made, 'm1');
    await addNamespace(made, 'one');
    await vi.waitFor(async () => expect(await paths(made)).toHaveLength(1), settled);
    const id = (await worksIn(made))[0]!.metadata.labels?.['work.karmada.io/permanent-id'];
    await made.fake.client.patch(`${namespacesPath}/one`, 'merge', { metadata: { labels: { tier: 'x' } } });
    const labelsOf = async () => (await worksIn(made))[0]?.spec.workload?.manifests?.[0]?.metadata.labels;
    await vi.waitFor(async () => expect(await labelsOf()).toMatchObject({ tier: 'x' }), settled);
    const [work] = await worksIn(made);
    expect(work!.metadata.labels?.['work.karmada.io/permanent-id']).toBe(id);
    const path = `${inNamespace(worksPath, 'karmada-es-m1')}/${work!.metadata.name}`;
    await made.fake.client.delete(path);
    await made.fake.client.patch(path, 'merge', { metadata: { finalizers: [] } });
    await vi.waitFor(async () => {
      const [again] = await worksIn(made);
      expect(again && again.metadata.uid !== work!.metadata.uid).toBe(true);
    }, settled);
  });

  it('go with the Namespace', async () => {
    await using made = await started();
    await join(made, 'm1');
    await addNamespace(made, 'one');
    await vi.waitFor(async () => expect(await paths(made)).toHaveLength(1), settled);
    await made.fake.client.delete(`${namespacesPath}/one`);
    await vi.waitFor(async () => expect((await worksIn(made))[0]?.metadata.deletionTimestamp).toBeDefined(), settled);
  });

  it('FED-7: are overridden by cluster policies, and one that cannot be applied stops its cluster only', async () => {
    await using made = await started();
    await join(made, 'm1', { site: 'a' });
    await join(made, 'm2', { site: 'b' });
    await addNamespace(made, 'one');
    await vi.waitFor(async () => expect(await paths(made)).toHaveLength(2), settled);
    await atRest();
    const rule = (site: string, overriders: object) => ({
      targetCluster: { labelSelector: { matchLabels: { site } } },
      overriders,
    });
    const metadata = { name: 'o' };
    const overrideRules = [
      rule('a', { plaintext: [{ path: '/nowhere/at/all', operator: 'replace', value: 1 }] }),
      rule('b', { labelsOverrider: [{ operator: 'add', value: { site: 'b' } }] }),
    ];
    const resourceSelectors = [{ apiVersion: 'v1', kind: 'Namespace', name: 'one' }];
    await made.fake.client.create(clusterOverridePoliciesPath, {
      metadata,
      spec: { resourceSelectors, overrideRules },
    });
    await vi.waitFor(async () => {
      const [first, second] = await worksIn(made);
      expect(second!.spec.workload?.manifests?.[0]?.metadata.labels).toMatchObject({ site: 'b' });
      expect(second!.metadata.annotations).toHaveProperty(['policy.karmada.io/applied-cluster-overrides']);
      expect(first!.spec.workload?.manifests?.[0]?.metadata.labels).not.toHaveProperty('site');
    }, settled);
    await vi.waitFor(() => {
      expect(made.events).toContain('Namespace one: ApplyOverridePolicyFailed');
      expect(made.events).toContain('Namespace one: SyncWorkFailed');
      expect(made.events).toContain('Namespace one: ApplyOverridePolicySucceed');
    }, settled);
  });

  it('FED-9: go with the member, and preserve the namespace of one that is no longer federated', async () => {
    await using made = await started();
    await join(made, 'm1');
    await join(made, 'm2');
    await join(made, 'm3');
    await addNamespace(made, 'one');
    await vi.waitFor(async () => expect(await paths(made)).toHaveLength(3), settled);
    await made.fake.client.delete(`${clustersPath}/m1`);
    const annotations = { federated: 'false' };
    await made.fake.client.patch(`${clustersPath}/m2`, 'merge', { metadata: { annotations } });
    await vi.waitFor(async () => {
      const states = (await worksIn(made)).map(({ metadata, spec }) => [
        metadata.deletionTimestamp !== undefined,
        spec.preserveResourcesOnDeletion,
      ]);
      expect(states).toEqual([
        [true, false],
        [true, true],
        [false, false],
      ]);
    }, settled);
  });

  it('with chosen, are made where something there is scheduled to, or needed by a parent', async () => {
    await using made = await started(true);
    for (const name of ['m1', 'm2', 'm3']) await join(made, name);
    await addNamespace(made, 'one');
    await addNamespace(made, 'two');
    const binding = {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: 'b' },
      spec: { resource: {}, clusters: [{ name: 'm1' }], requiredBy: [{ name: 'p', clusters: [{ name: 'm3' }] }] },
    };
    await made.fake.client.create(inNamespace(bindingsPath, 'one'), binding);
    await vi.waitFor(async () => {
      const spaces = (await worksIn(made)).map(
        ({ metadata }) => `${metadata.namespace} ${metadata.name.split('-')[0]}`,
      );
      expect(spaces).toEqual(['karmada-es-m1 one', 'karmada-es-m3 one']);
    }, settled);
  });
});
