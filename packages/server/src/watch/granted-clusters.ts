/** The clusters of a shared watch that the control plane grants: which are added, which are lost, and which watchers differ (AUTHZ-2). */

import type { ClusterName } from '../target/target.ts';
import { ControlPlaneGrants } from './control-plane-grants.ts';
import type { Watcher } from './watcher.ts';

export interface GrantedClustersOptions {
  ask(): Promise<readonly ClusterName[]>;
  onFault(error: unknown): void;
  /** No longer granted. */
  lose(cluster: ClusterName): void;
  join(cluster: ClusterName): void;
  /** Those that send events, except removed ones whose objects are being reported as deleted. */
  followed(): readonly ClusterName[];
  /** The clusters have changed. */
  onChange(): void;
}

export class GrantedClusters {
  known: ReadonlySet<ClusterName>;
  private readonly options: GrantedClustersOptions;
  private readonly grants: ControlPlaneGrants;
  /** Watchers whose granted clusters differ from `known`, until the control plane's next answer. */
  private readonly unsettled = new Set<Watcher>();

  constructor(options: GrantedClustersOptions, clusters: readonly ClusterName[]) {
    this.options = options;
    this.known = new Set(clusters);
    this.grants = new ControlPlaneGrants({
      ask: options.ask,
      onAnswer: (granted, isWhole) => {
        this.settle(granted);
        if (isWhole) this.settleUngranted();
      },
      onFault: options.onFault,
    });
  }

  get hasUnsettled(): boolean {
    return this.unsettled.size > 0;
  }

  start(): void {
    this.grants.start();
  }

  pause(): void {
    this.grants.pause();
  }

  stop(): void {
    this.grants.stop();
  }

  refresh(): void {
    this.grants.refresh();
  }

  add(watcher: Watcher, clusters: readonly ClusterName[]): void {
    if (clusters.length === this.known.size && clusters.every((cluster) => this.known.has(cluster))) return;
    // The two sets were read at different times, so either may be outdated: review again.
    this.unsettled.add(watcher);
    this.grants.refresh();
  }

  forget(watcher: Watcher): void {
    this.unsettled.delete(watcher);
  }

  /** A removed cluster: answers to earlier reviews may still contain it. */
  without(cluster: ClusterName): void {
    this.grants.without(cluster);
  }

  drop(cluster: ClusterName): void {
    this.settle(this.known.difference(new Set([cluster])));
  }

  /** The clusters that are granted now: every watcher has exactly these. */
  private settle(granted: ReadonlySet<ClusterName>): void {
    const { lose, join, onChange } = this.options;
    const before = this.known;
    this.known = granted;
    const [gone, come] = [[...before.difference(granted)], [...granted.difference(before)]];
    for (const cluster of gone) lose(cluster);
    for (const cluster of come) join(cluster);
    if (gone.length + come.length > 0) onChange();
  }

  /** Watchers may have opened feeds of clusters that are no longer granted. Left open, one would serve the next cluster of that name. */
  private settleUngranted(): void {
    const { known, options } = this;
    for (const cluster of options.followed()) if (!known.has(cluster)) options.lose(cluster);
    for (const watcher of [...this.unsettled]) watcher.settle(known);
    this.unsettled.clear();
  }
}
