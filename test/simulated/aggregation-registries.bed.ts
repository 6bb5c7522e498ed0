/** ResourceRegistries that change, kinds that only members have, kubectl at the aggregation endpoint. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SimulatedFleet } from './src/fleet.ts';
import { grant } from './src/granting.ts';
import { hasKubectl } from './src/kubectl.ts';
import { run } from './src/product.ts';
import { core, deregister, endpoint, pod, register, startRegistered, watching, widgets } from './src/registering.ts';
import { requestAs } from './src/request.ts';

let fleet: SimulatedFleet;
let admin: KubeConfig;
let root: KubeConfig;
beforeAll(async () => {
  fleet = await startRegistered();
  root = await fleet.config();
  admin = await fleet.config(undefined, endpoint);
  await fleet.members.get('member2')!.client.create(crds, widgets);
  await register(fleet.controlPlane, 'widgets', {
    resourceSelectors: [{ apiVersion: 'example.dev/v1', kind: '*' }],
  });
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = '/apis/example.dev/v1/namespaces/shop/widgets';
const settled = { timeout: 30_000, interval: 100 };
const widget = (name: string) => ({
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { size: 'large' },
});
const namespace = 'shop';
const get = (url: string) => requestAs(root, `${endpoint}${url}`);
const clientOf = (name: string) => fleet.members.get(name)!.client;

async function namesAt(url: string): Promise<string[] | number> {
  const { status, body } = await get(url);
  if (status !== 200) return status;
  return (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
}

describe('CACHE-3: a kind that only members have', () => {
  it('is registered, listed, and in discovery; the control plane does not know it', async () => {
    await vi.waitFor(() => clientOf('member2').create(path, widget('two')), settled);
    await vi.waitFor(async () => expect(await namesAt(path)).toEqual(['two']), settled);
    const { body } = await get('/apis/example.dev/v1');
    expect(body).toMatchObject({ resources: [{ name: 'widgets', kind: 'Widget' }] });
    const own = await requestAs(root, '/clusterspaces/karmada/apis');
    expect(JSON.stringify(own.body)).not.toContain('example.dev');
    const unregistered = await get('/apis/batch/v1/jobs');
    expect(unregistered.body).not.toHaveProperty('items.0');
  });

  it('a member that gets it later is picked up', async () => {
    await clientOf('member1').create(crds, widgets);
    await vi.waitFor(() => clientOf('member1').create(path, widget('one')), settled);
    await vi.waitFor(async () => expect(await namesAt(path)).toEqual(['one', 'two']), settled);
  });
});

describe('registries', () => {
  it('CACHE-1: what makes no sense is refused', async () => {
    const bad = (selector: object) =>
      register(fleet.controlPlane, 'bad', { resourceSelectors: [selector as { apiVersion: string; kind: string }] });
    await expect(bad({ apiVersion: 'v1' })).rejects.toMatchObject({ code: 422 });
    await expect(bad({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: '*' })).rejects.toMatchObject({
      code: 422,
      message: expect.stringContaining('kinds of the fleet itself'),
    });
    await expect(register(fleet.controlPlane, 'bad', { resourceSelectors: [] })).rejects.toMatchObject({ code: 422 });
  });

  it('CACHE-4: a watch that is older than its registry ends with 410, and others go on', async () => {
    const [secrets, accounts] = ['secrets', 'serviceaccounts'].map((one) => `/api/v1/namespaces/shop/${one}`);
    await using watch = await watching(admin, secrets!, {});
    await using other = await watching(admin, accounts!, {});
    let isOver = false;
    void other.ended.then(() => {
      isOver = true;
    });
    await register(fleet.controlPlane, 'older', { resourceSelectors: core('Secret') });
    await watch.ended;
    expect(watch.seen).toMatchObject([{ type: 'ERROR', code: 410 }]);
    expect(isOver).toBe(false);
    await deregister(fleet.controlPlane, 'older');
  });

  it('CACHE-4, WATCH-5: changed while a watch runs: a cluster that comes is added, one that goes ends the stream', async () => {
    const resourceSelectors = core('Secret');
    const secrets = '/api/v1/namespaces/shop/secrets';
    for (const name of ['member1', 'member2']) {
      await clientOf(name).create(secrets, { metadata: { name: `of-${name}` } });
    }
    await register(fleet.controlPlane, 'secrets', { resourceSelectors, targetCluster: { clusterNames: ['member1'] } });
    await vi.waitFor(async () => expect(await get(`${secrets}/of-member1`)).toMatchObject({ status: 200 }), settled);
    expect(await get(`${secrets}/of-member2`)).toMatchObject({ status: 404 });
    await using watch = await watching(admin, secrets, {});
    await vi.waitUntil(() => watch.seen.length === 1, settled);
    await register(fleet.controlPlane, 'secrets', { resourceSelectors });
    await vi.waitFor(
      () => expect(watch.events()).toEqual(['ADDED of-member1 member1', 'ADDED of-member2 member2']),
      settled,
    );
    await register(fleet.controlPlane, 'secrets', { resourceSelectors, targetCluster: { exclude: ['member1'] } });
    await watch.ended;
    expect(watch.seen.at(-1)).toMatchObject({ type: 'ERROR', code: 410 });
    const { body: merged } = await get(`${secrets}?limit=1`);
    const { resourceVersion } = (merged as { metadata: { resourceVersion: string } }).metadata;
    await deregister(fleet.controlPlane, 'secrets');
    // The control plane's again.
    await vi.waitFor(async () => {
      const { body } = await get('/api/v1/secrets');
      expect(JSON.stringify(body)).not.toContain('of-member');
    }, settled);
    // RV-6: what a merged list gave leads on from here, too.
    const from = `${secrets}?resourceVersion=${resourceVersion}`;
    expect(await namesAt(from)).toEqual([]);
    expect(await get(`${from}&resourceVersionMatch=NotOlderThan`)).toMatchObject({ status: 200 });
    expect(await get(`${from}&watch=true`)).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    const initial = `${from}&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`;
    expect(await requestAs(root, `${endpoint}${initial}`, {}, true)).toMatchObject({ status: 200 });
  });

  it('CACHE-7: of a registry of some namespaces they are all there is', async () => {
    const inShop = core('Secret').map((one) => ({ ...one, namespace }));
    await register(fleet.controlPlane, 'secrets', { resourceSelectors: inShop });
    const listed = async () => {
      const { body } = await get('/api/v1/secrets');
      return (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    };
    await clientOf('member1').create('/api/v1/namespaces/default/secrets', { metadata: { name: 'unregistered' } });
    await vi.waitFor(async () => expect(await listed()).toEqual(['of-member1', 'of-member2']), settled);
    expect((await get('/api/v1/namespaces/default/secrets')).body).toMatchObject({ kind: 'SecretList', items: [] });
    expect(await get('/api/v1/namespaces/default/secrets/unregistered')).toMatchObject({ status: 404 });
    await using watch = await watching(admin, '/api/v1/secrets', {});
    await vi.waitUntil(() => watch.seen.length === 2, settled);
    await register(fleet.controlPlane, 'secrets', { resourceSelectors: core('Secret') });
    await watch.ended;
    expect(watch.seen.at(-1)).toMatchObject({ type: 'ERROR', code: 410 });
    expect(await listed()).toContain('unregistered');
    await deregister(fleet.controlPlane, 'secrets');
  });
});

describe.skipIf(!hasKubectl)('kubectl --server …/proxying/karmada/proxy', () => {
  const kubectl = (...args: string[]) =>
    run('kubectl', ['--server', `${fleet.product.url}${endpoint}`, ...args], {
      KUBECONFIG: fleet.product.adminKubeconfig,
      KUBECACHEDIR: join(fleet.folder, 'cache'),
    });
  const printed = async (line: string) => {
    const { code, stdout, stderr } = await kubectl(...line.split(' '));
    expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
    return stdout;
  };

  it('get, of kinds that only members have, too', async () => {
    await Promise.all(
      ['member1', 'member2'].map((name) => clientOf(name).create('/api/v1/namespaces/shop/pods', pod(`web-${name}`))),
    );
    expect(await printed('get pods -A')).toMatch(
      /^NAMESPACE +NAME +READY +STATUS +RESTARTS +AGE +CLUSTER\nshop +web-member1 .* member1\nshop +web-member2 .* member2\n$/,
    );
    expect(await printed('get wi -n shop')).toMatch(
      /^NAME +SIZE +CLUSTER\none +large +member1\ntwo +large +member2\n$/,
    );
    expect(await printed('get clusters -o name')).toBe(
      'cluster.cluster.karmada.io/member1\ncluster.cluster.karmada.io/member2\n',
    );
    expect(await printed('explain widgets.spec.size')).toContain('How large it is.');
    expect(await printed('api-resources --api-group=example.dev -o name')).toBe('widgets.example.dev\n');
  });

  it('label, logs, exec, wait and delete by plain names', async () => {
    const pods = (label: string) => `-n shop ${label}`;
    await printed(`wait pod/web-member2 ${pods('--for=condition=Ready --timeout=60s')}`);
    await printed(`label pod/web-member2 ${pods('colour=red')}`);
    expect(await clientOf('member2').get('/api/v1/namespaces/shop/pods/web-member2')).toMatchObject({
      metadata: { labels: { colour: 'red' } },
    });
    expect((await printed(`logs web-member2 ${pods('--tail=2')}`)).match(/\n/g)).toHaveLength(2);
    expect(await printed(`exec web-member1 ${pods('-- hostname')}`)).toBe('web-member1\n');
    await printed(`delete pod web-member2 ${pods('--timeout=60s')}`);
    expect(await printed(`get pods ${pods('-o name')}`)).toBe('pod/web-member1\n');
  });

  it('edit: what get printed is applied again, and nothing of the view is stored', async () => {
    const file = join(fleet.folder, 'widget.yaml');
    await writeFile(file, (await printed('get widget two -n shop -o yaml')).replace('size: large', 'size: small'));
    await printed(`replace -f ${file}`);
    const stored = await clientOf('member2').get<{ metadata: { annotations?: object } }>(`${path}/two`);
    expect(stored).toMatchObject({ spec: { size: 'small' } });
    expect(stored.metadata.annotations ?? {}).toEqual({});
  });

  it('AUTHZ-4: can-i asks members about what is registered, the control plane about the rest', async () => {
    const proxying = { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['get', 'create'] };
    await grant(fleet.controlPlane, 'dora', 'dora', [proxying]);
    const readers = { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['list'] };
    await grant(clientOf('member2'), 'dora', 'dora', [readers]);
    const can = async (line: string) => (await kubectl('--as', 'dora', 'auth', 'can-i', ...line.split(' '))).stdout;
    expect(await can('list configmaps')).toBe('yes\n');
    expect(await can('list pods')).toBe('no\n');
    // Members would allow it, but it is not theirs here; and the endpoint does not let her delete.
    expect(await can('list secrets')).toBe('no\n');
    expect(await can('delete configmaps')).toMatch(
      /^no - no permission to delete proxying\/proxy in group search.karmada.io/,
    );
  });

  it('CACHE-1: a backend store of others is accepted with a warning', async () => {
    const file = join(fleet.folder, 'registry.json');
    const spec = { resourceSelectors: core('Secret'), targetCluster: { clusterNames: ['none'] } };
    const registry = {
      apiVersion: 'search.karmada.io/v1alpha1',
      kind: 'ResourceRegistry',
      metadata: { name: 'other' },
    };
    const backendStore = { openSearch: { addresses: ['https://search'] } };
    await writeFile(file, JSON.stringify({ ...registry, spec: { ...spec, backendStore } }));
    expect((await kubectl('create', '-f', file)).stderr).toBe(
      'Warning: spec.backendStore.openSearch is not supported: objects are kept in memory\n',
    );
    expect(await printed('get rr other')).toMatch(/^NAME +SYNCED +OBJECTS +KINDS +AGE\nother .*Secret /);
  });
});
