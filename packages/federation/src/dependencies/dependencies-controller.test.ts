import { describe, expect, it, vi } from 'vitest';
import type { Binding, BindingSpec } from '../api/bindings.ts';
import { clusterResourceBindingsPath, inNamespace, namespacesPath, resourceBindingsPath } from '../api/paths.ts';
import { type FakePipeline, fakePipeline } from '../testing/fake-pipeline.ts';
import { keepWorks } from '../work/work-controller.ts';
import { distributeDependencies } from './dependencies-controller.ts';
import { dependedByLabel } from './parent-marks.ts';

const settled = { timeout: 10_000, interval: 20 };
const bindings = inNamespace(resourceBindingsPath, 'shop');
const secrets = '/api/v1/namespaces/shop/secrets';
const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const finalizer = 'karmada.io/binding-dependencies-distributor';

async function started() {
  const stack = new AsyncDisposableStack();
  const made = stack.use(await fakePipeline());
  const metadata = { name: 'shop' };
  await made.fake.client.create(namespacesPath, { apiVersion: 'v1', kind: 'Namespace', metadata });
  stack.use(distributeDependencies(made.pipeline));
  // It lets deleted bindings go.
  stack.use(keepWorks(made.pipeline));
  return { ...made, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const addSecret = ({ fake }: FakePipeline, name: string) =>
  fake.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });

const template = (...secretNames: string[]) => ({
  template: {
    spec: { containers: [{ name: 'c', envFrom: secretNames.map((name) => ({ secretRef: { name } })) }] },
  },
});

/** A Deployment that needs the secrets, with its binding. */
async function addParent(
  { fake }: FakePipeline,
  name: string,
  secretNames: string[],
  clusters: string[],
  more: Partial<BindingSpec> = {},
): Promise<void> {
  const deployment = await fake.client.create<Binding>(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: template(...secretNames),
  });
  const { uid } = deployment.metadata;
  const spec: BindingSpec = {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name, uid: uid! },
    placement: {},
    propagateDeps: true,
    clusters: clusters.map((cluster) => ({ name: cluster })),
    ...more,
  };
  const metadata = {
    name: `${name}-deployment`,
    labels: { 'resourcebinding.karmada.io/permanent-id': `id of ${name}` },
  };
  const kind = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' };
  await fake.client.create(bindings, { ...kind, metadata, spec });
}

const found = (made: FakePipeline, name: string): Binding | undefined =>
  made.fake.objects.find({ group: 'work.karmada.io', resource: 'resourcebindings', namespace: 'shop' }, name) as
    | Binding
    | undefined;
/** The parents of a secret's binding with their clusters; undefined where it is gone, or is being deleted. */
const parentsOf = (made: FakePipeline, name: string) => {
  const binding = found(made, `${name}-secret`);
  if (!binding || binding.metadata.deletionTimestamp !== undefined) return undefined;
  return binding.spec.requiredBy?.map((one) => `${one.name}: ${one.clusters?.map((target) => target.name).join()}`);
};

describe('FED-11: a parent with propagateDeps', () => {
  it('is marked, and its dependents have bindings that follow it', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one', 'later'], ['m1', 'm2']);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['web-deployment: m1,m2']), settled);
    const { metadata } = found(made, 'web-deployment')!;
    expect(metadata.finalizers).toEqual([finalizer]);
    expect(JSON.parse(metadata.annotations!['resourcebinding.karmada.io/dependencies']!)).toEqual([
      { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'later' },
      { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'one' },
    ]);
    expect(found(made, 'one-secret')?.metadata.labels).toMatchObject({
      [dependedByLabel({ namespace: 'shop', name: 'web-deployment' })]: 'id of web',
    });
    await made.fake.client.patch(`${bindings}/web-deployment`, 'merge', { spec: { clusters: [{ name: 'm3' }] } });
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['web-deployment: m3']), settled);
    expect(made.events).toContain('Deployment web: GetDependenciesSucceed');
    expect(made.events).toContain('ResourceBinding web-deployment: SyncScheduleResultToDependenciesSucceed');
    expect(made.failures).toEqual([]);
  });

  it('has dependents that are made, named or removed later', async () => {
    await using made = await started();
    await addParent(made, 'web', ['one'], ['m1']);
    await vi.waitFor(() => expect(found(made, 'web-deployment')?.metadata.finalizers).toEqual([finalizer]), settled);
    await addSecret(made, 'one');
    await addSecret(made, 'two');
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['web-deployment: m1']), settled);
    expect(parentsOf(made, 'two')).toBeUndefined();
    await made.fake.client.patch(`${deployments}/web`, 'merge', { spec: template('two') });
    await vi.waitFor(() => {
      expect([parentsOf(made, 'one'), parentsOf(made, 'two')]).toEqual([undefined, ['web-deployment: m1']]);
    }, settled);
    await made.fake.client.delete(`${secrets}/two`);
    await addSecret(made, 'two');
    const { uid } = made.fake.objects.get({ group: '', resource: 'secrets', namespace: 'shop' }, 'two').metadata;
    await vi.waitFor(() => {
      expect(parentsOf(made, 'two')).toEqual(['web-deployment: m1']);
      expect(found(made, 'two-secret')?.spec.resource.uid).toBe(uid);
    }, settled);
  });

  it.each<[string, object]>([
    ['loses propagateDeps', { spec: { propagateDeps: false } }],
    ['is nowhere any more', { spec: { clusters: null } }],
  ])('that %s has no dependents', async (_what, patch) => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one'], ['m1']);
    await addParent(made, 'api', ['one'], ['m2']);
    await vi.waitFor(
      () => expect(parentsOf(made, 'one')).toEqual(['api-deployment: m2', 'web-deployment: m1']),
      settled,
    );
    await made.fake.client.patch(`${bindings}/web-deployment`, 'merge', patch);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['api-deployment: m2']), settled);
  });

  it('that is deleted stays until its dependents are without it', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one'], ['m1']);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['web-deployment: m1']), settled);
    await made.fake.client.delete(`${bindings}/web-deployment`);
    await vi.waitFor(() => {
      expect([found(made, 'web-deployment'), parentsOf(made, 'one')]).toEqual([undefined, undefined]);
    }, settled);
    expect(made.failures).toEqual([]);
  });

  it('that is removed by force leaves nothing behind', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one'], ['m1']);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toBeDefined(), settled);
    await made.fake.client.patch(`${bindings}/web-deployment`, 'merge', {
      metadata: { finalizers: [] },
      spec: { propagateDeps: false },
    });
    await made.fake.client.delete(`${bindings}/web-deployment`);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toBeUndefined(), settled);
  });

  it('disagrees with another one: Overwrite wins, and it is reported', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one'], ['m1'], { conflictResolution: 'Overwrite' });
    await addParent(made, 'api', ['one'], ['m1'], { conflictResolution: 'Abort' });
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toHaveLength(2), settled);
    expect(found(made, 'one-secret')?.spec.conflictResolution).toBe('Overwrite');
    expect(made.events).toContain('ResourceBinding one-secret: DependencyPolicyConflict');
    await made.fake.client.patch(`${bindings}/web-deployment`, 'merge', { spec: { propagateDeps: false } });
    await vi.waitFor(() => expect(found(made, 'one-secret')?.spec.conflictResolution).toBe('Abort'), settled);
  });

  it('(FED-11) disagrees on less than before: that is reported, too, though the outcome stays', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one'], ['m1'], {
      conflictResolution: 'Overwrite',
      preserveResourcesOnDeletion: true,
    });
    await addParent(made, 'api', ['one'], ['m1'], { conflictResolution: 'Abort', preserveResourcesOnDeletion: false });
    const resolution = 'ConflictResolution conflicted (Overwrite vs Abort)';
    const preserving = 'PreserveResourcesOnDeletion conflicted (true vs false)';
    const reported = (what: string) => made.messages.includes(`Dependency policy conflict detected: ${what}.`);
    await vi.waitFor(() => expect(reported(`${resolution}; ${preserving}`)).toBe(true), settled);
    await made.fake.client.patch(`${bindings}/api-deployment`, 'merge', { spec: { conflictResolution: 'Overwrite' } });
    await vi.waitFor(() => expect(reported(preserving)).toBe(true), settled);
  });

  it('unites with the policy of a dependent, whose binding stays', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one'], ['m1']);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toBeDefined(), settled);
    const own = { placement: { clusterAffinity: { clusterNames: ['m7'] } }, clusters: [{ name: 'm7' }] };
    await made.fake.client.patch(`${bindings}/one-secret`, 'merge', { spec: own });
    await made.fake.client.delete(`${bindings}/web-deployment`);
    await vi.waitFor(() => expect(found(made, 'one-secret')?.spec.requiredBy).toBeUndefined(), settled);
    expect(found(made, 'one-secret')?.spec).toMatchObject(own);
    expect(found(made, 'one-secret')?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('whose dependents somebody changed or deleted puts them back', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'web', ['one'], ['m1']);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toBeDefined(), settled);
    await made.fake.client.patch(`${bindings}/one-secret`, 'merge', { spec: { requiredBy: null } });
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['web-deployment: m1']), settled);
    const { uid } = found(made, 'one-secret')!.metadata;
    await made.fake.client.delete(`${bindings}/one-secret`);
    await vi.waitFor(() => {
      expect(parentsOf(made, 'one')).toEqual(['web-deployment: m1']);
      expect(found(made, 'one-secret')!.metadata.uid).not.toBe(uid);
    }, settled);
  });

  it('waits for the binding of an earlier dependent of that name to go', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    const other = await made.fake.client.create<Binding>(secrets, { kind: 'Secret', metadata: { name: 'other' } });
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'one', uid: other.metadata.uid, controller: true };
    const metadata = { name: 'one-secret', ownerReferences: [owner] };
    await made.fake.client.create(bindings, { metadata, spec: { resource: {} } });
    await addParent(made, 'web', ['one'], ['m1']);
    const failed = 'ResourceBinding web-deployment: SyncScheduleResultToDependenciesFailed';
    await vi.waitFor(() => expect(made.events).toContain(failed), settled);
    expect(parentsOf(made, 'one')).toBeUndefined();
    await made.fake.client.delete(`${secrets}/other`);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['web-deployment: m1']), settled);
  });

  it('without dependencies, or without clusters, is not marked', async () => {
    await using made = await started();
    await addSecret(made, 'one');
    await addParent(made, 'plain', [], ['m1']);
    await addParent(made, 'nowhere', ['one'], []);
    await addParent(made, 'web', ['one'], ['m1']);
    await vi.waitFor(() => expect(parentsOf(made, 'one')).toEqual(['web-deployment: m1']), settled);
    for (const name of ['plain-deployment', 'nowhere-deployment']) {
      expect(found(made, name)?.metadata).not.toHaveProperty('finalizers');
    }
    const { items } = await made.fake.client.list<Binding>(clusterResourceBindingsPath);
    expect(items).toEqual([]);
  });
});
