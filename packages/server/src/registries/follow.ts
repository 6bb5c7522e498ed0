/** Keeps what is registered up to date: with the registries themselves, the Clusters, and what members serve (CACHE-3, CACHE-4). */

import { setTimeout as delay } from 'node:timers/promises';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';
import type { Discovery } from '../discovery/discovery.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { ResourceRegistries } from './registries.ts';

/** In milliseconds. A start waits no longer: until members are read, what only they have looks as if it were not registered. */
const longestWait = 5_000;

export async function followRegistries(
  client: KubeClient,
  members: MemberRegistry,
  discovery: Discovery,
  log: Logger,
  patience = longestWait,
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
  const waited = delay(patience, undefined, { signal: started.signal }).catch(() => {});
  await Promise.race([registries.synced, waited]);
  const read = () => discovery.union().catch((error) => log.warn({ err: error }, 'what members serve is not known'));
  if (!registries.isEmpty) await Promise.race([read(), waited]);
  started.abort();
  registries.refresh();
  return registries;
}
