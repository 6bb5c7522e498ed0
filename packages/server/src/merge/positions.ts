/** Reads the resource versions of the members' lists, without the lists (RV-4). */

import type { ClusterName } from '../target/target.ts';
import { readListQuery } from './list-query.ts';
import type { ListSource } from './source.ts';

/** Members that refuse, or cannot be reached, have none. */
export async function positionsOf(
  clusters: readonly ClusterName[],
  sourceOf: (cluster: ClusterName) => ListSource,
  signal: AbortSignal,
): Promise<ReadonlyMap<ClusterName, string>> {
  const found = await Promise.all(
    clusters.map(async (cluster) => {
      try {
        const source = sourceOf(cluster);
        const version = (await source.position?.(signal)) ?? (await listedPosition(source, signal));
        return version ? [[cluster, version] as const] : [];
      } catch {
        // Without an entry, a client that resumes from the map lists that cluster again.
        return [];
      }
    }),
  );
  return new Map(found.flat());
}

/** Undefined if it cannot be listed. Lists of custom resources end with it. */
export async function listedPosition(source: ListSource, signal: AbortSignal): Promise<string | undefined> {
  const query = readListQuery('').begin(source.cluster, 1);
  const answer = await source.list({ query, form: 'PartialObjectMetadataList', signal });
  if (answer.is !== 'list') return undefined;
  for await (const _ of answer.items);
  return answer.end().metadata?.resourceVersion;
}
