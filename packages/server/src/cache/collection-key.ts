/** What the cache finds collections by. */

import type { ClusterName } from '../target/target.ts';

/** The resource of a request that names no object. */
export interface AskedCollection {
  group: string;
  version: string;
  resource: string;
  namespace?: string | undefined;
}

export const keyOf = (cluster: ClusterName, { group, version, resource, namespace }: AskedCollection): string =>
  JSON.stringify([cluster, group, version, resource, namespace ?? null]);

/** Whatever the version and namespace. */
export const resourceOf = (
  cluster: ClusterName,
  { group, resource }: Pick<AskedCollection, 'group' | 'resource'>,
): string => JSON.stringify([cluster, group, resource]);
