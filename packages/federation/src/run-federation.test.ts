import type { KubeObject } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnyObject } from './api/objects.ts';
import {
  clustersPath,
  inNamespace,
  namespacesPath,
  propagationPoliciesPath,
  resourceBindingsPath,
  worksPath,
} from './api/paths.ts';
import { runFederation } from './run-federation.ts';
import { type FakeControlPlane, fakeControlPlane } from './testing/fake-control-plane.ts';
import { servedKinds } from './testing/fake-pipeline.ts';
import { leftOfFederation } from './turn-off/left.ts';
import { disabledSwitch, type Switch, switchesPath, switchPath } from './turn-off/switch.ts';

const settled = { timeout: 15_000, interval: 25 };
const maps = '/api/v1/namespaces/shop/configmaps';
const policies = inNamespace(propagationPoliciesPath, 'shop');
const guards = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

let controlPlane: FakeControlPlane;
let members: Map<string, FakeControlPlane>;
let ending: AbortController;
let running: Promise<void>;
let served: typeof servedKinds;
let warnings: string[];

async function join(name: string): Promise<void> {
  members.set(name, fakeControlPlane());
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name }, spec: {} };
  await controlPlane.client.create(clustersPath, cluster);
  const apiEnablements = servedKinds.map(({ apiVersion, kind }) => ({
    groupVersion: apiVersion,
    resources: [{ kind }],
  }));
  await report(name, 'True', { apiEnablements });
}

const report = (name: string, ready: string, more: object = {}) =>
  controlPlane.client.patch(`${clustersPath}/${name}/status`, 'merge', {
    status: { ...more, conditions: [{ type: 'Ready', status: ready }] },
  });

function start(isEmbedded = false): void {
  ending = new AbortController();
  running = runFederation(
    {
      controlPlane: controlPlane.client,
      connections: { client: (cluster) => members.get(cluster)?.client },
      served: { current: () => served, onChange: () => ({ [Symbol.dispose]() {} }) },
      scheduling: { isFederated: () => true, isActive: () => true },
      hooks: { resolveService: () => undefined },
      log: { info() {}, warn: (_, text) => void warnings.push(text) },
      isEmbedded,
      turnOffPause: 20,
    },
    ending.signal,
  );
}

const stop = async (): Promise<void> => {
  ending.abort();
  // What was starting ends with the reason of its signal.
  await running.catch((error: unknown) => expect(error).toBe(ending.signal.reason));
};

beforeEach(async () => {
  controlPlane = fakeControlPlane();
  members = new Map();
  served = servedKinds;
  warnings = [];
  start();
  await join('m1');
  await join('m2');
  await controlPlane.client.create(namespacesPath, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop' },
  });
  await controlPlane.client.create(namespacesPath, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'karmada-cluster' },
  });
  await propagate();
});
afterEach(stop);

async function propagate(): Promise<void> {
  const metadata = { name: 'web', labels: { app: 'web' } };
  await controlPlane.client.create(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } });
  await controlPlane.client.create(policies, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'p' },
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'web' }], placement: {} },
  });
  await everywhere();
}

const inMember = (name: string): Promise<AnyObject | undefined> =>
  members
    .get(name)!
    .client.get<AnyObject>(`${maps}/web`)
    .catch((error: { code: number }) => {
      if (error.code === 404) return undefined;
      throw error;
    });

const everywhere = () =>
  vi.waitFor(async () => {
    for (const name of members.keys())
      expect((await inMember(name))?.metadata.labels).toMatchObject({ 'karmada.io/managed': 'true' });
  }, settled);

const disable = (workloads: 'keep' | 'delete') => controlPlane.client.create(switchesPath, disabledSwitch(workloads));
const done = () =>
  vi.waitFor(async () => {
    expect((await controlPlane.client.get<Switch>(switchPath)).data?.done).toBe('true');
  }, settled);

describe('FED-38: federation that is turned off', () => {
  it('releases claims, finalizers and marks; objects of members stay', async () => {
    expect((await leftOfFederation(controlPlane.client)).map(({ resource }) => resource)).toEqual([
      'propagationpolicies',
      'resourcebindings',
      'works',
      'clusters',
    ]);
    await disable('keep');
    await done();
    expect(await leftOfFederation(controlPlane.client)).toEqual([]);
    for (const name of members.keys()) {
      const { metadata, ...object } = (await inMember(name))!;
      expect(object).toMatchObject({ data: { a: 'b' } });
      expect(metadata.labels).toEqual({ app: 'web' });
      expect(metadata.annotations ?? {}).toEqual({});
      const namespace = await members.get(name)!.client.get<AnyObject>(`${namespacesPath}/shop`);
      expect(JSON.stringify(namespace.metadata)).not.toContain('karmada.io');
    }
    const template = await controlPlane.client.get<AnyObject>(`${maps}/web`);
    expect(template.metadata.labels).toEqual({ app: 'web' });
    expect(template.metadata.annotations ?? {}).toEqual({});
    const policy = await controlPlane.client.get<KubeObject>(`${policies}/p`);
    expect(policy.metadata.finalizers ?? []).toEqual([]);
    for (const path of [worksPath, resourceBindingsPath]) {
      expect((await controlPlane.client.list(path)).items).toEqual([]);
    }
    const spaces = (await controlPlane.client.list<KubeObject>(namespacesPath)).items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith('karmada-es-'));
    expect(spaces).toEqual([]);
  });

  it('--delete-workloads deletes objects of members, but no namespaces', async () => {
    await disable('delete');
    await done();
    expect(await leftOfFederation(controlPlane.client)).toEqual([]);
    for (const [name, { client }] of members) {
      expect(await inMember(name)).toBe(undefined);
      const namespace = await client.get<AnyObject>(`${namespacesPath}/shop`);
      expect(JSON.stringify(namespace.metadata)).not.toContain('karmada.io');
    }
    expect(await controlPlane.client.get<AnyObject>(`${maps}/web`)).toMatchObject({ data: { a: 'b' } });
  });

  it('what a member has that cannot be reached is left, is shown, and goes when the member is back', async () => {
    await report('m2', 'False');
    await disable('keep');
    await vi.waitFor(async () => expect((await inMember('m1'))?.metadata.labels).toEqual({ app: 'web' }), settled);
    await vi.waitFor(async () => {
      const left = await leftOfFederation(controlPlane.client);
      expect(left.map(({ resource }) => resource)).toEqual(['works', 'clusters']);
      const namespaces = left.flatMap(({ objects }) =>
        objects.map(({ metadata }) => metadata.namespace ?? metadata.name),
      );
      expect(new Set(namespaces)).toEqual(new Set(['karmada-es-m2', 'm2']));
    }, settled);
    expect((await controlPlane.client.get<Switch>(switchPath)).data?.done).toBe(undefined);
    await report('m2', 'True');
    await done();
    expect((await inMember('m2'))?.metadata.labels).toEqual({ app: 'web' });
  });

  it('stays off when the server starts again, and is on again without the switch', async () => {
    await disable('keep');
    await done();
    await stop();
    start();
    await controlPlane.client.create(policies, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'later' },
      spec: {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'web' }],
        conflictResolution: 'Overwrite',
        placement: {},
      },
    });
    await controlPlane.client.patch(switchPath, 'merge', { data: { done: null } });
    await stop();
    start();
    await done();
    expect((await controlPlane.client.get<KubeObject>(`${policies}/later`)).metadata.finalizers).toBe(undefined);
    await controlPlane.client.delete(switchPath);
    // They are the members' own by now.
    await everywhere();
  });

  it('waits until it is known what the control plane serves: claims would be left behind otherwise', async () => {
    await stop();
    served = [];
    start();
    await disable('keep');
    const failed = () => warnings.filter((text) => text.startsWith('federation could not be turned off yet'));
    await vi.waitFor(() => expect(failed().length).toBeGreaterThan(1), settled);
    expect((await controlPlane.client.get<KubeObject>(`${policies}/p`)).metadata.finalizers).toHaveLength(1);
    served = servedKinds;
    await stop();
    start();
    await done();
    const template = await controlPlane.client.get<AnyObject>(`${maps}/web`);
    expect(template.metadata.labels).toEqual({ app: 'web' });
  });

  const clusterRolesAnswer = (code: number): void => {
    controlPlane.onRequest = ({ verb, resource }) => {
      if (verb === 'list' && resource === 'clusterroles') throw new StatusError(code, 'Away', 'no list of these');
    };
  };
  const switchData = async () => (await controlPlane.client.get<Switch>(switchPath)).data;

  it.each([500, 503])(
    'one kind whose list fails (%i) holds up no other, is named, and is released when it can be',
    async (code) => {
      clusterRolesAnswer(code);
      await disable('keep');
      await vi.waitFor(async () => expect(await leftOfFederation(controlPlane.client)).toEqual([]), settled);
      const named = `clusterroles.rbac.authorization.k8s.io (${code}: no list of these)`;
      await vi.waitFor(async () => expect((await switchData())?.unreleased).toBe(named), settled);
      expect((await inMember('m1'))?.metadata.labels).toEqual({ app: 'web' });
      expect((await switchData())?.done).toBe(undefined);
      controlPlane.onRequest = undefined;
      await done();
      expect((await switchData())?.unreleased).toBe(undefined);
    },
  );

  it.each([403, 405])('a kind that may not be listed (%i) is named, and not waited for', async (code) => {
    clusterRolesAnswer(code);
    await disable('keep');
    await done();
    expect((await switchData())?.unreleased).toBe(`clusterroles.rbac.authorization.k8s.io (${code}: no list of these)`);
    expect(await leftOfFederation(controlPlane.client)).toEqual([]);
  });

  it('a kind that is not served any more (404) has no claims', async () => {
    clusterRolesAnswer(404);
    await disable('keep');
    await done();
    expect((await switchData())?.unreleased).toBe(undefined);
  });

  it('a template that cannot be written holds up no other, and its kind is named', async () => {
    controlPlane.onRequest = ({ verb, resource, namespace }) => {
      if (verb === 'patch' && resource === 'configmaps' && namespace === 'shop')
        throw new StatusError(403, 'Forbidden', 'a webhook denies it');
    };
    await disable('keep');
    await vi.waitFor(async () => expect(await leftOfFederation(controlPlane.client)).toEqual([]), settled);
    expect(await switchData()).toMatchObject({ unreleased: 'configmaps (403: a webhook denies it)' });
    expect((await switchData())?.done).toBe(undefined);
    controlPlane.onRequest = undefined;
    await done();
    const template = await controlPlane.client.get<AnyObject>(`${maps}/web`);
    expect(template.metadata.labels).toEqual({ app: 'web' });
  });

  it('FED-2: policies that an existing control plane has for it go, too', async () => {
    await vi.waitFor(async () => expect((await controlPlane.client.list(guards)).items).toHaveLength(3), settled);
    await disable('keep');
    await done();
    expect((await controlPlane.client.list(guards)).items).toEqual([]);
  });
});
