/** The fleet of the aggregation proxy proposal's examples: `nginx-1` and `nginx-2` in cluster1, `nginx-3` and `nginx-4` in cluster2, all registered. */

import type { Answer, AskOptions } from '@fleet/bed/api.ts';
import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { apply } from '../rbac.ts';
import { watchMember } from '../seen.ts';
import { widgets } from './objects.ts';

export type Name = 'cluster1' | 'cluster2';
export type Scene = Fleet<Name>;
export const names = ['cluster1', 'cluster2'] as const;

/** What clients are given as their server. */
export const endpoint = '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy';
/** As the document writes it. */
export const proxying = '/apis/search.karmada.io/v1alpha1/proxying';
export const cachedFrom = 'resource.karmada.io/cached-from-cluster';
export const pods = '/api/v1/namespaces/default/pods';
export const mergePatch = 'application/merge-patch+json';

const kinds = [
  ['v1', 'Pod'],
  ['v1', 'Node'],
  ['v1', 'Event'],
  ['v1', 'Secret'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
  ['example.fleet/v1', 'Widget'],
] as const;

export const registry = (clusterNames: readonly Name[] = names) => ({
  apiVersion: 'search.karmada.io/v1alpha1',
  kind: 'ResourceRegistry',
  metadata: { name: 'aggregation-proxy' },
  spec: {
    targetCluster: { clusterNames },
    resourceSelectors: kinds.map(([apiVersion, kind]) => ({ apiVersion, kind })),
  },
});

/** Its container has the name that the document's URL of a log has. */
export const pod = (name: string, labels: Record<string, string> = { app: 'nginx' }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels },
  spec: { containers: [{ name: 'bar', image: 'nginx:1' }] },
});

const podsOf: Record<Name, readonly string[]> = { cluster1: ['nginx-1', 'nginx-2'], cluster2: ['nginx-3', 'nginx-4'] };

async function furnish(member: Member, own: readonly string[]): Promise<void> {
  await apply(member, widgets, ...own.map((name) => pod(name)));
  await until('widgets are served', async () => (await member.kubectl('get', 'widgets')).code === 0);
  await until('its pods run', async () => {
    const { items } = await member.api.object<{ items: { status: { phase?: string } }[] }>(pods);
    return items.filter(({ status }) => status.phase === 'Running').length === own.length;
  });
}

export async function startExample(): Promise<Scene> {
  const scene = await startFleet<Name>({
    cluster1: { version: 'newest', nodes: 1, faults: true },
    cluster2: { version: 'older', nodes: 1, faults: true },
  });
  const { product, members, controlPlane } = scene;
  await Promise.all(names.map((name) => furnish(members[name], podsOf[name])));
  for (const name of names) await product.join(members[name], name, '--cache-kinds', '*');
  await apply(controlPlane, registry());
  await isFilled(product);
  return scene;
}

/** Everything is cached, and the members have answered whether the admin may list and watch it. */
export async function isFilled(product: Product): Promise<void> {
  const path = 'jsonpath={.status.conditions[?(@.type=="Synced")].status}';
  const get = ['get', 'resourceregistry', 'aggregation-proxy', '-o', path];
  const isSynced = async () => (await product.kubectl({ at: '/clusterspaces/karmada' }, ...get)).stdout === 'True';
  await until('everything is filled', isSynced, { every: 200 });
}

export interface Shown {
  kind: string;
  apiVersion: string;
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
  };
}

export interface ShownList extends Pick<Shown, 'kind' | 'apiVersion'> {
  metadata: { resourceVersion: string; continue?: string };
  items: Shown[];
}

export const namesIn = ({ items }: ShownList): string[] => items.map(({ metadata }) => metadata.name);

/** As `name cluster`. */
export const placesIn = ({ items }: ShownList): string[] =>
  items.map(({ metadata }) => `${metadata.name} ${metadata.annotations?.[cachedFrom]}`);

export const parsed = <T = Shown>({ body }: Answer): T => JSON.parse(body) as T;

/** Asks as the admin, and returns what each member saw of it, as the admin: `verb path code`. */
export async function witnessed(
  { product, members }: Pick<Scene, 'product' | 'members'>,
  path: string,
  options: AskOptions = {},
): Promise<{ answer: Answer; seen: Record<Name, string[]> }> {
  const watching = await Promise.all(names.map((name) => watchMember(members[name])));
  const answer = await product.api.ask(path, options);
  const entries = await Promise.all(watching.map((seen) => seen()));
  const lines = entries.map((all) =>
    all
      .filter(({ impersonatedUser, objectRef }) => impersonatedUser === 'fleet:admin' && !isReview(objectRef?.resource))
      .map(({ verb, requestURI, code }) => `${verb} ${requestURI} ${code}`),
  );
  return { answer, seen: { cluster1: lines[0]!, cluster2: lines[1]! } };
}

/** Whether a user may read from the cache is the product's own question. */
const isReview = (resource: string | undefined): boolean => resource === 'selfsubjectaccessreviews';
