/** A fleet with ResourceRegistries, and its aggregation endpoint. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { SimulatedCluster } from '@fleet/simulator/start-cluster.ts';
import { type KubeConfig, Watch } from '@kubernetes/client-node';
import { vi } from 'vitest';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';
import { requestAs } from './request.ts';

/** As whoever uses it as a server of its own writes it. */
export const endpoint = '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy';

const path = '/apis/search.karmada.io/v1alpha1/resourceregistries';

interface Spec {
  targetCluster?: object;
  resourceSelectors: { apiVersion: string; kind: string; namespace?: string }[];
  backendStore?: object;
  prune?: string[];
}

/** Made, or changed. */
export async function register(controlPlane: KubeClient, name: string, spec: Spec): Promise<void> {
  const registry = { apiVersion: 'search.karmada.io/v1alpha1', kind: 'ResourceRegistry', metadata: { name }, spec };
  await controlPlane.patch(`${path}/${name}?fieldManager=test&force=true`, 'apply', registry);
}

export const deregister = (controlPlane: KubeClient, name: string) => controlPlane.delete(`${path}/${name}`);

export const core = (...kinds: string[]) => kinds.map((kind) => ({ apiVersion: 'v1', kind }));

export const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
});

export const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.dev' },
  spec: {
    group: 'example.dev',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', shortNames: ['wi'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'string', description: 'How large it is.' } } },
            },
          },
        },
      },
    ],
  },
};

/** Two members with a namespace `shop`, in it a ConfigMap that both have and one of its own. */
export async function startRegistered(options: Omit<FleetOptions, 'members'> = {}): Promise<SimulatedFleet> {
  const fleet = await startFleet({ members: [], ...options });
  await Promise.all(['member1', 'member2'].map(async (name) => furnish(name, await fleet.add(name, { factor: 20 }))));
  await register(fleet.controlPlane, 'core', { resourceSelectors: core('Pod', 'ConfigMap') });
  const config = await fleet.config();
  const listed = async () => JSON.stringify((await requestAs(config, `${endpoint}/api/v1/configmaps`)).body);
  await vi.waitUntil(async () => (await listed()).includes('only-member2'), { timeout: 30_000 });
  return fleet;
}

async function furnish(name: string, { client }: SimulatedCluster): Promise<void> {
  await client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (const map of ['settings', `only-${name}`]) {
    const metadata = { name: map, labels: { test: 'yes' } };
    await client.create('/api/v1/namespaces/shop/configmaps', { metadata, data: { from: name } });
  }
}

export interface Seen {
  type: string;
  name?: string | undefined;
  cluster?: string | undefined;
  version: string;
  code?: number;
}

interface Watched {
  code?: number;
  metadata?: { name?: string; resourceVersion?: string; annotations?: Record<string, string> };
}

export interface Watching extends AsyncDisposable {
  seen: Seen[];
  /** As `type name cluster`. */
  events(): string[];
  ended: Promise<void>;
}

/** A watch at the aggregation endpoint, from a version or with initial events. */
export async function watching(
  config: KubeConfig,
  resource: string,
  query: Record<string, string> = {},
): Promise<Watching> {
  const seen: Seen[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const onEvent = (type: string, { code, metadata }: Watched) => {
    const cluster = metadata?.annotations?.['resource.karmada.io/cached-from-cluster'];
    const one = { type, name: metadata?.name, cluster, version: metadata?.resourceVersion ?? '' };
    seen.push(code === undefined ? one : { ...one, code });
  };
  const controller = await new Watch(config).watch(resource, query, onEvent, () => resolve());
  return {
    seen,
    events: () =>
      seen.filter(({ type }) => type !== 'BOOKMARK').map(({ type, name, cluster }) => `${type} ${name} ${cluster}`),
    ended,
    [Symbol.asyncDispose]: async () => controller.abort(),
  };
}

export const mapIn = (version: string): Record<string, string> =>
  JSON.parse(Buffer.from(version, 'base64url').toString()) as Record<string, string>;
