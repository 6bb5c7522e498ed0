import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { inNamespace, resourceBindingsPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import { type FakeFederation, fakeFederation } from '../testing/fake-federation.ts';
import { workName } from './work-name.ts';

const settled = { timeout: 15_000, interval: 25 };
/** FNV-1a of both is the same, so that Works of equally named objects in them have the same name. */
const [shop, twin] = ['shop', 'xbfosdnmu'] as const;
const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

let federation: FakeFederation;
beforeEach(async () => {
  federation = await fakeFederation(shop, twin);
});
afterEach(() => federation[Symbol.asyncDispose]());

async function propagate(namespace: string): Promise<void> {
  const { controlPlane } = federation;
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' }, data: { of: namespace } };
  await controlPlane.client.create(configMaps(namespace), configMap);
  await federation.propagate(namespace, { conflictResolution: 'Overwrite' });
}

const inMember = (namespace: string) => federation.member.client.get<AnyObject>(`${configMaps(namespace)}/mine`);
const work = async (): Promise<string[]> => {
  const { items } = await federation.controlPlane.client.list<Work>(worksPath);
  const manifests = items.map(({ spec }) => spec.workload!.manifests![0]!);
  return manifests.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.namespace!);
};
const reasons = async (namespace: string): Promise<unknown[]> => {
  const path = `/api/v1/namespaces/${namespace}/events`;
  return (await federation.controlPlane.client.list<AnyObject>(path)).items.map((event) => event['reason']);
};

it('FED-1, FED-8: a Work is not taken over by a template whose Work has the same name', async () => {
  const manifest = (namespace: string) => ({ kind: 'ConfigMap', metadata: { name: 'mine', namespace } });
  expect(workName(manifest(twin))).toBe(workName(manifest(shop)));
  const { controlPlane } = federation;
  await propagate(shop);
  await vi.waitFor(() => inMember(shop), settled);

  await propagate(twin);
  await vi.waitFor(async () => expect(await reasons(twin)).toContain('SyncWorkFailed'), settled);
  expect(await work()).toEqual([shop]);
  await expect(inMember(twin)).rejects.toMatchObject({ code: 404 });

  await controlPlane.client.delete(`${configMaps(twin)}/mine`);
  const binding = `${inNamespace(resourceBindingsPath, twin)}/mine-configmap`;
  await vi.waitFor(() => expect(controlPlane.client.get(binding)).rejects.toMatchObject({ code: 404 }), settled);
  await controlPlane.client.patch(`${configMaps(shop)}/mine`, 'merge', { data: { of: 'shop still' } });
  await vi.waitFor(async () => expect((await inMember(shop))['data']).toEqual({ of: 'shop still' }), settled);
  expect(await work()).toEqual([shop]);
});

it('FED-1: it gets its own Work when the other one is gone', async () => {
  const { controlPlane } = federation;
  await propagate(shop);
  await vi.waitFor(() => inMember(shop), settled);
  await propagate(twin);
  await vi.waitFor(async () => expect(await reasons(twin)).toContain('SyncWorkFailed'), settled);
  await controlPlane.client.delete(`${configMaps(shop)}/mine`);
  await vi.waitFor(async () => expect((await inMember(twin))['data']).toEqual({ of: twin }), settled);
  expect(await work()).toEqual([twin]);
});
