/** Starts ResourceRegistries, and keeps them up to date with Clusters and with what members serve (CACHE-3, CACHE-4). */

import { setTimeout as delay } from 'node:timers/promises';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';
import type { Discovery } from '../discovery/discovery.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { ResourceRegistries } from './registries.ts';

/** In milliseconds: how long a start waits for members' discovery. Without it, kinds that only members serve seem unregistered. */
const longestWait = 5_000;

export async function followRegistries(
  client: KubeClient,
  members: MemberRegistry,
  discovery: Discovery,
  log: Logger,
  wait = longestWait,
): Promise<ResourceRegistries> {
  const registries = new ResourceRegistries({
    client,
    clusters: () => [...members.allClusters()].filter(({ metadata }) => members.uidInView(metadata.name) !== undefined),
    servedBy: (cluster) => discovery.servedBy(cluster),
    log,
  });
  members.events.on('seen', (cluster) => registries.seen(cluster));
  members.events.on('gone', (cluster) => registries.gone(cluster));
  discovery.events.on('changed', () => registries.plan());
  const started = new AbortController();
  const waited = delay(wait, undefined, { signal: started.signal }).catch(() => {});
  await Promise.race([registries.synced, waited]);
  const read = () =>
    discovery.union().catch((error) => log.warn({ err: error }, 'reading the discovery of members failed'));
  if (!registries.isEmpty) await Promise.race([read(), waited]);
  started.abort();
  registries.refresh();
  return registries;
}
