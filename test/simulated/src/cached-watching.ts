/** Watches of a registered resource over simulated clusters: who is served from the cache, and what a client is sent. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import { type KubeConfig, Watch } from '@kubernetes/client-node';
import { expect, vi } from 'vitest';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';
import { grant } from './granting.ts';
import { core, register } from './registering.ts';
import { requestAs } from './request.ts';

export const settled = { timeout: 30_000, interval: 50 };
export const maps = '/api/v1/namespaces/shop/configmaps';
export const clustersPath = '/apis/cluster.karmada.io/v1alpha1/clusters';

/** Lets the product read what it caches, as `fleet join --cache-kinds` does. */
async function grantCache(client: KubeClient): Promise<void> {
  const account = 'system:serviceaccount:fleet-system:fleet-control';
  await grant(client, 'cache', account, [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] }]);
}

/** A member with a few ConfigMaps, which the product may cache. */
export async function addCached(fleet: SimulatedFleet, name: string, objects: readonly string[]): Promise<void> {
  const { client } = await fleet.add(name);
  await grantCache(client);
  await client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (const object of objects) await client.create(maps, { metadata: { name: object } });
}

/** Two members whose ConfigMaps are cached. */
export async function startCached(options: Omit<FleetOptions, 'members'> = {}): Promise<SimulatedFleet> {
  const fleet = await startFleet({ members: [], ...options });
  await Promise.all([addCached(fleet, 'member1', ['a']), addCached(fleet, 'member2', ['b', 'c', 'd'])]);
  await register(fleet.controlPlane, 'core', { resourceSelectors: core('ConfigMap') });
  await untilCached(fleet, 2);
  return fleet;
}

/** Until so many members' parts of a list come from the cache. */
export async function untilCached(fleet: SimulatedFleet, members: number): Promise<void> {
  const admin = await fleet.config();
  await vi.waitFor(async () => {
    const before = await cachedAnswers(admin);
    expect((await requestAs(admin, maps)).status).toBe(200);
    expect((await cachedAnswers(admin)) - before).toBe(members);
  }, settled);
}

/** How many lists and watches of members have come from the cache. */
export async function cachedAnswers(admin: KubeConfig, by = 'cached'): Promise<number> {
  const { body } = await requestAs(admin, '/metrics', {}, true);
  const lines = (body as string).split('\n').filter((line) => line.startsWith('fleet_cache_answers_total{'));
  return lines
    .filter((line) => line.includes(`by="${by}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

interface Watched {
  code?: number;
  metadata?: { name?: string; resourceVersion?: string };
}

export interface Watching extends AsyncDisposable {
  /** As `DELETED a.clusterspace.member1`, `ERROR 410`. */
  events: string[];
  /** The maps of bookmarks. */
  maps: Record<string, string>[];
  isOver(): boolean;
}

export async function watch(config: KubeConfig, query: Record<string, string>, path: string = maps): Promise<Watching> {
  const events: string[] = [];
  const bookmarks: Record<string, string>[] = [];
  let over = false;
  const onEvent = (type: string, { code, metadata }: Watched) => {
    if (type === 'BOOKMARK') bookmarks.push(mapIn(metadata!.resourceVersion!));
    else events.push(`${type} ${code ?? metadata?.name}`);
  };
  const controller = await new Watch(config).watch(path, { allowWatchBookmarks: 'true', ...query }, onEvent, () => {
    over = true;
  });
  return { events, maps: bookmarks, isOver: () => over, [Symbol.asyncDispose]: async () => controller.abort() };
}

/** From a list on, by a user, once the streams of all members are open. */
export async function watchFromList(
  fleet: SimulatedFleet,
  config: KubeConfig,
  members: number,
  path: string = maps,
): Promise<Watching> {
  const admin = await fleet.config();
  const { body } = await requestAs(config, path);
  const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
  const before = await cachedAnswers(admin);
  const watching = await watch(config, { resourceVersion }, path);
  await vi.waitFor(async () => expect((await cachedAnswers(admin)) - before).toBe(members), settled);
  return watching;
}

export const versionOf = (map: Record<string, string>): string =>
  Buffer.from(JSON.stringify(map)).toString('base64url');

const mapIn = (version: string): Record<string, string> =>
  JSON.parse(Buffer.from(version, 'base64url').toString()) as Record<string, string>;
