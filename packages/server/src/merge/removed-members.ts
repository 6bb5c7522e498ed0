/** Handles members that are removed after a view's clusters were determined and before they are read. */

import { StatusError } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';

export interface ViewAsk {
  clusters: readonly ClusterName[];
  /** Throws 404 for a cluster that does not exist. */
  sourceOf(cluster: ClusterName): unknown;
  /** The current clusters of the request's view. */
  clustersNow(): Promise<readonly ClusterName[]>;
}

/** Opens the view without the clusters that have left it meanwhile. One that a selector names stays, and is a 404. */
export async function withoutRemoved<T>(
  ask: ViewAsk,
  open: (clusters: readonly ClusterName[]) => Promise<T>,
): Promise<T> {
  let { clusters } = ask;
  for (;;) {
    try {
      return await open(clusters);
    } catch (error) {
      const removed = canMeanRemoval(error) ? clusters.filter((cluster) => isRemoved(ask, cluster)) : [];
      if (removed.length === 0) throw error;
      const now = new Set(await ask.clustersNow());
      const left = clusters.filter((cluster) => now.has(cluster) || !removed.includes(cluster));
      if (left.length === clusters.length) throw error;
      clusters = left;
    }
  }
}

/** It does not exist, or did not answer any more. */
const canMeanRemoval = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof StatusError && error.code === 503);

const isNotFound = (error: unknown): boolean => error instanceof StatusError && error.code === 404;

function isRemoved({ sourceOf }: ViewAsk, cluster: ClusterName): boolean {
  try {
    sourceOf(cluster);
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}
