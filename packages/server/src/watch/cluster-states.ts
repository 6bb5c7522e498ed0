/** The per-cluster state of one watcher, with counters: checking hundreds of clusters for each of a thousand watchers is too slow. */

import type { ClusterName } from '../target/target.ts';
import { later } from './position.ts';

export type ClusterState =
  /** Its objects are being sent. */
  | { phase: 'initial' }
  /**
   * The client has all events up to `from`; the member's access review is still pending. `level`: the feed has not moved
   * past `from` since.
   */
  | { phase: 'asked'; from: string; level: boolean }
  /** Events up to `from` are known to the watcher; `passed`, once the cluster's feed has come that far, too. */
  | { phase: 'live'; from: string; passed: boolean }
  /** It does not serve the resource, or not to this user. */
  | { phase: 'absent' }
  | { phase: 'refused' };

export class ClusterStates {
  /** Clusters in which the watcher's position differs from the feed's: no shared bookmark fits it. */
  apart = 0;
  /** Those whose objects are being sent. */
  initial = 0;
  /** Those with a position. */
  following = 0;
  /** Changes with which clusters have a position. */
  revision = 0;
  private readonly byCluster = new Map<ClusterName, ClusterState>();

  get(cluster: ClusterName): ClusterState | undefined {
    return this.byCluster.get(cluster);
  }

  set(cluster: ClusterName, state: ClusterState): void {
    const before = this.byCluster.get(cluster);
    if (before) this.count(before, -1);
    this.byCluster.set(cluster, state);
    this.count(state, 1);
  }

  delete(cluster: ClusterName): void {
    const before = this.byCluster.get(cluster);
    if (before) this.count(before, -1);
    this.byCluster.delete(cluster);
  }

  clusters(): ClusterName[] {
    return [...this.byCluster.keys()];
  }

  /** Clusters whose objects are still being sent have none (WATCH-2). */
  positions(feedAt: (cluster: ClusterName) => string | undefined): Map<ClusterName, string> {
    const positions = new Map<ClusterName, string>();
    for (const [cluster, state] of this.byCluster) {
      if (state.phase === 'live') positions.set(cluster, later(state.from, feedAt(cluster) ?? state.from));
      if (state.phase === 'asked') positions.set(cluster, state.from);
    }
    return positions;
  }

  private count(state: ClusterState, by: 1 | -1): void {
    if (state.phase === 'initial') this.initial += by;
    if (state.phase !== 'live' && state.phase !== 'asked') return;
    this.following += by;
    this.revision++;
    if (state.phase === 'live' ? !state.passed : !state.level) this.apart += by;
  }
}
