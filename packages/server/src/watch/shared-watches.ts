/** All shared watches: finds the one that a new watcher can share, and passes on changes of members. */

import type { ReadVersion } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import { Encodings } from './encodings.ts';
import type { Positions } from './event-log.ts';
import { SharedWatch } from './shared-watch.ts';
import type { SharedWatchOptions } from './shared-watch-options.ts';
import { type Lease, type LeaseAsk, WatchLimits } from './watch-limits.ts';

export interface SharedAsk {
  /** Who watches what, in which form: equal for watches that may be shared. */
  key: string;
  /** The user to whose limit it counts. */
  user: string;
  clusters: readonly ClusterName[];
  options: Omit<SharedWatchOptions, 'encodings' | 'onIdle' | 'onFault' | 'onClusters' | 'onStream'>;
}

interface Kept {
  shared: SharedWatch;
  lease: Lease;
  end(): void;
}

export class SharedWatches implements Disposable {
  private readonly byKey = new Map<string, Set<Kept>>();
  private readonly noting = new Set<Set<ClusterName>>();
  private readonly onFault: SharedWatchOptions['onFault'];
  private readonly limits: WatchLimits;
  private readonly encodings = new Encodings();

  constructor(onFault: SharedWatchOptions['onFault'], limits = new WatchLimits({ perMember: 0, perUser: 0 })) {
    this.onFault = onFault;
    this.limits = limits;
  }

  /** The positions of a client that was sent an object with this version last, if exactly one position of one log fits. */
  positionsAt(key: string, version: ReadVersion): Positions | undefined {
    if (version.is === 'map') return version.of;
    if (version.is !== 'plain') return new Map();
    const found = [...(this.byKey.get(key) ?? [])].flatMap(({ shared }) => shared.resumeAt(version.version) ?? []);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Throws 429 if it would exceed a limit, before members are asked for anything (LIMIT-2). */
  admit(ask: SharedAsk): void {
    if (!this.byKey.has(ask.key)) this.makeSpace(ask);
  }

  /** A shared watch whose log has the events after these positions, or a new one. Throws 429 (LIMIT-2). */
  join(ask: SharedAsk, from: Positions): SharedWatch {
    for (const { shared } of this.byKey.get(ask.key) ?? []) if (shared.reaches(from, ask.clusters)) return shared;
    this.makeSpace(ask);
    return this.open(ask);
  }

  /** How many clients watch. */
  get watching(): number {
    return [...this.all()].reduce((sum, { shared }) => sum + shared.watching, 0);
  }

  /** Members were added, removed, or changed. */
  refresh(): void {
    for (const { shared } of this.all()) shared.refresh();
  }

  /** A member was removed from the merged views, or replaced under its name: no watch continues with it (WATCH-5). */
  lose(cluster: ClusterName): void {
    for (const lost of this.noting) lost.add(cluster);
    for (const { shared } of this.all()) shared.leave(cluster);
  }

  /** Members that are removed from now on, for a watch that has read them and is in no shared watch yet. */
  noteLost(): Disposable & { lost: ReadonlySet<ClusterName> } {
    const lost = new Set<ClusterName>();
    this.noting.add(lost);
    return { lost, [Symbol.dispose]: () => void this.noting.delete(lost) };
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** Ends every watch between two events, with a bookmark (LIMIT-1). */
  end(): void {
    for (const { end } of this.all()) end();
  }

  private open({ key, user, clusters, options }: SharedAsk): SharedWatch {
    const lease = this.limits.take({ user, clusters: clusters.filter((cluster) => !options.isCached(cluster)) });
    const alike = this.byKey.get(key) ?? new Set();
    this.byKey.set(key, alike);
    const end = () => {
      shared.stop();
      lease[Symbol.dispose]();
      alike.delete(kept);
      if (alike.size === 0 && this.byKey.get(key) === alike) this.byKey.delete(key);
    };
    const shared: SharedWatch = new SharedWatch(
      {
        ...options,
        encodings: this.encodings,
        onIdle: end,
        onFault: this.onFault,
        onClusters: lease.cover,
        onStream: lease.count,
      },
      clusters,
    );
    const kept: Kept = { shared, lease, end };
    alike.add(kept);
    return shared;
  }

  /** Drops those without watchers, which are kept for clients that may resume: current clients come first. */
  private makeSpace({ user, clusters, options: { isCached } }: SharedAsk): void {
    const ask: LeaseAsk = { user, clusters, isCounted: (cluster) => !isCached(cluster) };
    for (let reached = this.limits.limitReached(ask); reached; reached = this.limits.limitReached(ask)) {
      const { error, isHeldBy } = reached;
      const unused = this.all().find(({ shared, lease }) => shared.isUnused && isHeldBy(lease));
      if (!unused) throw error;
      unused.end();
    }
  }

  private *all(): Generator<Kept> {
    for (const alike of [...this.byKey.values()]) yield* [...alike];
  }
}
