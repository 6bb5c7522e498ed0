/**
 * Deletes a Cluster (CLU-6): its streams end, its cached state is dropped, federation cleans up in the member, then its Secrets are
 * deleted, then the object.
 */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';
import {
  awaitsCleanUp,
  type Cluster,
  clustersPath,
  type Secret,
  type SecretRef,
  secretRefsOf,
  secretsNamespace,
} from '../members/cluster.ts';
import { serves } from '../members/credential.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { keyOfRef } from '../members/secrets.ts';

/** Keeps a deleted Cluster until the product has cleaned up. */
export const finalizer = 'cluster.karmada.io/fleet-clean-up';

const retryAfter = 1_000;

export interface RemovalParts {
  members: MemberRegistry;
  controlPlane: KubeClient;
  log: Logger;
}

export function watchRemovals(parts: RemovalParts): Disposable {
  const removals = new Removals(parts);
  const look = ({ metadata }: Cluster) => removals.look(metadata.name);
  parts.members.events.on('seen', look);
  for (const cluster of parts.members.allClusters()) look(cluster);
  return {
    [Symbol.dispose]() {
      parts.members.events.off('seen', look);
      removals[Symbol.dispose]();
    },
  };
}

/** Runs one step at a time for each Cluster. A change in the meantime runs the next step afterwards. */
class Removals implements Disposable {
  private readonly parts: RemovalParts;
  private readonly busy = new Map<string, 'busy' | 'look again'>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(parts: RemovalParts) {
    this.parts = parts;
  }

  look(name: string): void {
    const cluster = this.parts.members.cluster(name);
    const work = cluster && this.workFor(cluster);
    if (!work) return;
    if (this.busy.has(name)) {
      this.busy.set(name, 'look again');
      return;
    }
    this.busy.set(name, 'busy');
    work().then(
      () => {
        const again = this.busy.get(name) === 'look again';
        this.busy.delete(name);
        if (again) this.look(name);
      },
      (error: unknown) => {
        this.busy.delete(name);
        if (!isStatus(error, 409))
          this.parts.log.warn({ err: error, cluster: name }, 'a removal or its preparation failed');
        this.lookLater(name);
      },
    );
  }

  [Symbol.dispose](): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private workFor(cluster: Cluster): (() => Promise<void>) | undefined {
    const { members, controlPlane } = this.parts;
    const { deletionTimestamp, finalizers = [] } = cluster.metadata;
    const ours = finalizers.includes(finalizer);
    if (deletionTimestamp === undefined) return ours ? undefined : () => protect(controlPlane, cluster);
    return ours && !awaitsCleanUp(cluster) ? () => cleanUp(members, controlPlane, cluster) : undefined;
  }

  private lookLater(name: string): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.look(name);
    }, retryAfter);
    this.timers.add(timer);
  }
}

const protect = (client: KubeClient, { metadata }: Cluster): Promise<void> =>
  setFinalizers(client, metadata, [...(metadata.finalizers ?? []), finalizer]);

/** Streams have ended by now: the member registry drops a Cluster as soon as it is deleted. */
async function cleanUp(members: MemberRegistry, client: KubeClient, cluster: Cluster): Promise<void> {
  const stillUsed = new Set(
    [...members.allClusters()]
      .filter(({ metadata }) => metadata.name !== cluster.metadata.name)
      .flatMap(secretRefsOf)
      .map(keyOfRef),
  );
  for (const ref of secretRefsOf(cluster)) {
    // Secrets in other namespaces belong to somebody else, who only allows the product to read them.
    if (ref.namespace === secretsNamespace && !stillUsed.has(keyOfRef(ref))) await deleteSecret(client, cluster, ref);
  }
  const { metadata } = cluster;
  await setFinalizers(
    client,
    metadata,
    (metadata.finalizers ?? []).filter((one) => one !== finalizer),
  );
}

/** A Secret of another cluster is not deleted: naming it in a Cluster grants nothing (SEC-4). */
async function deleteSecret(client: KubeClient, { metadata }: Cluster, { namespace, name }: SecretRef): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/secrets/${encodeURIComponent(name)}`;
  try {
    if (serves(await client.get<Secret>(path), metadata.name)) await client.delete(path);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}

/** Fails if there was another write in between, which triggers the next step. */
async function setFinalizers(
  client: KubeClient,
  { name, resourceVersion }: Cluster['metadata'],
  finalizers: readonly string[],
): Promise<void> {
  try {
    await client.patch(`${clustersPath}/${name}`, 'merge', { metadata: { resourceVersion, finalizers } });
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}
