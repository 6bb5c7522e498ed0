/** Limits how many different watches over many clusters are open, per member and per user (LIMIT-2). */

import { StatusError } from '@fleet/kube/status.ts';
import { type ClusterName, karmada } from '../target/target.ts';

export interface WatchLimitOptions {
  /** Streams that one member serves for merged watches; 0: no limit. */
  perMember: number;
  /** Different watches of one user; 0: no limit. */
  perUser: number;
}

/** One shared watch's share of the limits. */
export interface Lease extends Disposable {
  readonly user: string;
  covers(cluster: ClusterName): boolean;
  /** Its clusters have changed. They may exceed the limit: an open stream is not ended for it. */
  cover(clusters: Iterable<ClusterName>): void;
  /** A stream of one cluster was opened, or has ended. */
  count(cluster: ClusterName, isTaken: boolean): void;
}

export interface LeaseAsk {
  user: string;
  clusters: Iterable<ClusterName>;
  /** Whether it would use a stream of the cluster; called only if that matters. */
  isCounted?(cluster: ClusterName): boolean;
}

/** Which limit is reached, and which watches have to end first. */
export interface LimitReached {
  error: StatusError;
  isHeldBy(lease: Lease): boolean;
}

/** In seconds: long, as streams are, and clients should not retry often. */
const retryAfterSeconds = 5;

export class WatchLimits {
  private readonly options: WatchLimitOptions;
  private readonly byUser = new Map<string, number>();
  private readonly byMember = new Map<ClusterName, number>();

  constructor(options: WatchLimitOptions) {
    this.options = options;
  }

  limitReached({ user, clusters, isCounted = () => true }: LeaseAsk): LimitReached | undefined {
    const { perMember, perUser } = this.options;
    if (perUser > 0 && (this.byUser.get(user) ?? 0) >= perUser) {
      const why = `user ${JSON.stringify(user)} already has ${perUser} different watches over many clusters`;
      return { error: tooMany(why), isHeldBy: (lease) => lease.user === user };
    }
    if (perMember === 0) return undefined;
    for (const cluster of clusters) {
      // A watch of the control plane alone is not counted either: with every member cached, its part would be the limit of all.
      if (cluster === karmada) continue;
      if ((this.byMember.get(cluster) ?? 0) < perMember || !isCounted(cluster)) continue;
      const why = `cluster ${JSON.stringify(cluster)} already serves ${perMember} watches over many clusters`;
      return { error: tooMany(why), isHeldBy: (lease) => lease.covers(cluster) };
    }
    return undefined;
  }

  take({ user, clusters }: Pick<LeaseAsk, 'user' | 'clusters'>): Lease {
    let covered = new Set(clusters);
    let held = true;
    add(this.byUser, user, 1);
    for (const cluster of covered) add(this.byMember, cluster, 1);
    const cover = (now: Iterable<ClusterName>) => {
      if (!held) return;
      for (const cluster of covered) add(this.byMember, cluster, -1);
      covered = new Set(now);
      for (const cluster of covered) add(this.byMember, cluster, 1);
    };
    return {
      user,
      covers: (cluster) => covered.has(cluster),
      cover,
      count: (cluster, isTaken) => {
        if (!held || covered.has(cluster) === isTaken) return;
        if (isTaken) covered.add(cluster);
        else covered.delete(cluster);
        add(this.byMember, cluster, isTaken ? 1 : -1);
      },
      [Symbol.dispose]: () => {
        cover([]);
        if (held) add(this.byUser, user, -1);
        held = false;
      },
    };
  }
}

function add<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

const tooMany = (why: string): StatusError =>
  new StatusError(429, 'TooManyRequests', `${why}, please try again later`, { retryAfterSeconds });
