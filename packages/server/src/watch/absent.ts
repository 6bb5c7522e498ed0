/** Clusters that do not serve a resource, and the watchers that wait for them: when one serves it, it counts as joining (WATCH-5). */

import type { ClusterName } from '../target/target.ts';

const interval = 2_000;

interface Waiting {
  join(cluster: ClusterName): void;
}

export class Absent<T extends Waiting> {
  private readonly waiting = new Map<ClusterName, Set<T>>();
  private readonly serves: (cluster: ClusterName) => Promise<boolean>;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(serves: (cluster: ClusterName) => Promise<boolean>) {
    this.serves = serves;
  }

  add(cluster: ClusterName, one: T): void {
    const those = this.waiting.get(cluster) ?? new Set();
    this.waiting.set(cluster, those.add(one));
    this.plan();
  }

  forget(one: T): void {
    for (const [cluster, those] of this.waiting) {
      if (those.delete(one) && those.size === 0) this.waiting.delete(cluster);
    }
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private plan(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(async () => {
      for (const cluster of [...this.waiting.keys()]) {
        if (await this.serves(cluster).catch(() => false)) this.joined(cluster);
      }
      this.timer = undefined;
      if (this.waiting.size > 0) this.plan();
    }, interval).unref();
  }

  /** Watchers are added here again if the member does not serve it after all. */
  private joined(cluster: ClusterName): void {
    const those = this.waiting.get(cluster) ?? [];
    this.waiting.delete(cluster);
    for (const one of those) one.join(cluster);
  }
}
