/** The whole federation over a control plane and members in memory, for tests of what it does with what others have made. */

import type { KubeClient, KubeObject } from '@fleet/client/kube-client.ts';
import { expect, vi } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { clustersPath, inNamespace, namespacesPath, propagationPoliciesPath, worksPath } from '../api/paths.ts';
import { startFederation } from '../federation.ts';
import type { Resource } from '../kinds/kinds.ts';
import { type FakeControlPlane, fakeControlPlane } from './fake-control-plane.ts';
import { servedKinds } from './fake-pipeline.ts';

export const settled = { timeout: 15_000, interval: 25 };

export interface FakeFederation extends AsyncDisposable {
  controlPlane: FakeControlPlane;
  /** The one member. */
  member: FakeControlPlane;
  /** The control plane's discovery from now on. */
  serve(kinds: readonly Resource[]): void;
  propagate(namespace: string, more?: object): Promise<void>;
  configMap(namespace: string, name: string): Promise<AnyObject>;
  /** Of Works whose manifest has the name. */
  worksOf(name: string): Promise<KubeObject[]>;
  /** Messages of the Events of one reason in a namespace. */
  messages(namespace: string, reason: string): Promise<string[]>;
}

/** With one member, `m1`, and namespaces. */
export const fakeFederation = (...namespaces: string[]): Promise<FakeFederation> =>
  fakeFederationOf(servedKinds, ...namespaces);

/** In which the control plane and the member serve these kinds. */
export async function fakeFederationOf(served: readonly Resource[], ...namespaces: string[]): Promise<FakeFederation> {
  const [controlPlane, member] = [fakeControlPlane(), fakeControlPlane()];
  const { client } = controlPlane;
  const resources = served.map(({ plural: name, kind, namespaced }) => ({ name, kind, namespaced }));
  member.discovery.set('/api/v1', { resources });
  let current: readonly Resource[] = served;
  let changed = () => {};
  const running = await startFederation(
    {
      controlPlane: client,
      connections: { client: () => member.client },
      served: {
        current: () => current,
        onChange(call) {
          changed = call;
          return { [Symbol.dispose]() {} };
        },
      },
      scheduling: { isFederated: () => true, isActive: () => true },
      hooks: { resolveService: () => undefined },
      log: { info() {}, warn() {} },
    },
    new AbortController().signal,
  );
  const setStatus = (status: object) => client.patch(`${clustersPath}/m1/status`, 'merge', { status });
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'm1' }, spec: {} };
  await client.create(clustersPath, cluster);
  const enabled = served.map(({ apiVersion, kind }) => ({ groupVersion: apiVersion, resources: [{ kind }] }));
  await setStatus({ apiEnablements: enabled, conditions: [{ type: 'Ready', status: 'True' }] });
  for (const name of namespaces) await client.create(namespacesPath, namespaceNamed(name));
  return {
    controlPlane,
    member,
    serve(kinds) {
      current = kinds;
      changed();
    },
    async propagate(namespace, more = {}) {
      const spec = { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }], placement: {}, ...more };
      const kind = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' };
      const policy = { ...kind, metadata: { name: 'p' }, spec };
      await client.create(inNamespace(propagationPoliciesPath, namespace), policy);
    },
    configMap: (namespace, name) => client.create<AnyObject>(configMaps(namespace), configMapNamed(name)),
    async worksOf(name) {
      const { items } = await client.list<KubeObject>(worksPath);
      return items.filter(({ metadata }) => metadata.name.startsWith(`${name}-`));
    },
    async messages(namespace, reason) {
      const { items } = await client.list<KubeObject & { reason: string; message: string }>(
        `/api/v1/namespaces/${namespace}/events`,
      );
      return items.filter((event) => event.reason === reason).map(({ message }) => message);
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

export const namespaceNamed = (name: string, annotations: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations },
});

export const configMapNamed = (name: string, metadata: object = {}, of = 'here') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data: { of },
});

export const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

export async function at<T extends KubeObject = AnyObject>(client: KubeClient, path: string): Promise<T | undefined> {
  return client.get<T>(path).catch((error: { code: number }) => {
    if (error.code === 404) return undefined;
    throw error;
  });
}

/** As soon as it is there. */
export const appeared = (client: KubeClient, path: string): Promise<AnyObject> =>
  vi.waitFor(async () => {
    const found = await at(client, path);
    expect(found).toBeDefined();
    return found!;
  }, settled);

export const isGone = (client: KubeClient, path: string): Promise<void> =>
  vi.waitFor(async () => expect(await at(client, path)).toBeUndefined(), settled);
