/** The per-cluster states of one watcher, with counters: checking hundreds of clusters for a thousand watchers is too slow. */

import type { ClusterName } from '../target/target.ts';
import { type Gap, isWithin } from './gap.ts';
import { later } from './position.ts';

export type ClusterState =
  /** Its objects are being sent; `begun`, once some have been. */
  | { phase: 'initial'; begun: boolean }
  /**
   * The client has all events up to `from`; the member's access review is still pending. `level`: the feed has not moved
   * past `from` since.
   */
  | { phase: 'asked'; from: string; level: boolean }
  /** The watcher has the events up to `from`; `passed`: the cluster's feed has reached that position, too. */
  | { phase: 'live'; from: string; passed: boolean }
  /** It does not serve the resource, or not to this user. */
  | { phase: 'absent' }
  | { phase: 'refused' };

export class ClusterStates {
  /** Clusters in which the watcher's position differs from the feed's, or is within its initial objects: no shared bookmark fits it. */
  apart = 0;
  /** Clusters whose initial objects are being sent. */
  initial = 0;
  /** Clusters with a position. */
  following = 0;
  /** Incremented when a cluster gets or loses a position. */
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

  /** Its initial objects are about to be sent. False if they were sent already. */
  begin(cluster: ClusterName): boolean {
    const state = this.byCluster.get(cluster);
    if (state?.phase !== 'initial' || state.begun) return false;
    this.set(cluster, { phase: 'initial', begun: true });
    return true;
  }

  delete(cluster: ClusterName): void {
    const before = this.byCluster.get(cluster);
    if (before) this.count(before, -1);
    this.byCluster.delete(cluster);
  }

  clusters(): ClusterName[] {
    return [...this.byCluster.keys()];
  }

  /** A cluster whose objects are still being sent has no entry, or null once some were sent, as those may be deleted (WATCH-2). */
  positions(feedAt: (cluster: ClusterName) => string | undefined): Map<ClusterName, string | null> {
    const positions = new Map<ClusterName, string | null>();
    for (const [cluster, state] of this.byCluster) {
      if (state.phase === 'initial' && state.begun) positions.set(cluster, null);
      if (state.phase === 'live') positions.set(cluster, later(state.from, feedAt(cluster) ?? state.from));
      if (state.phase === 'asked') positions.set(cluster, state.from);
    }
    return positions;
  }

  /** Whether the watcher's position is in a gap that the cluster's feed is about to pass. */
  isIn(cluster: ClusterName, gap: Gap): boolean {
    const state = this.byCluster.get(cluster);
    const from = state?.phase === 'asked' || (state?.phase === 'live' && !state.passed) ? state.from : undefined;
    return from !== undefined && isWithin(from, gap);
  }

  /** Whether the watcher has a position in it. */
  isFollowing(cluster: ClusterName): boolean {
    const phase = this.byCluster.get(cluster)?.phase;
    return phase === 'live' || phase === 'asked';
  }

  private count(state: ClusterState, by: 1 | -1): void {
    if (state.phase === 'initial') this.initial += by;
    if (state.phase === 'initial' && state.begun) this.apart += by;
    if (state.phase !== 'live' && state.phase !== 'asked') return;
    this.following += by;
    this.revision++;
    if (state.phase === 'live' ? !state.passed : !state.level) this.apart += by;
  }
}
