/** The keys by which the cache finds a collection: one resource of one cluster, in all namespaces or in one. */

import type { ClusterName } from '../target/target.ts';

/** The collection that a request addresses. */
export interface AskedCollection {
  group: string;
  version: string;
  resource: string;
  namespace?: string | undefined;
}

export const collectionKey = (cluster: ClusterName, { group, version, resource, namespace }: AskedCollection): string =>
  JSON.stringify([cluster, group, version, resource, namespace ?? null]);

/** The same resource in all versions and namespaces. */
export const anyVersionKey = (
  cluster: ClusterName,
  { group, resource }: Pick<AskedCollection, 'group' | 'resource'>,
): string => JSON.stringify([cluster, group, resource]);
