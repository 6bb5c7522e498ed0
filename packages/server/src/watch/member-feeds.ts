/** The feeds of a shared watch, one per member: which are open, which come from the cache, and which report a removed member. */

import type { SourceBatch } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { type FeedOptions, MemberFeed } from './member-feed.ts';
import { isBehind } from './position.ts';

export class MemberFeeds {
  /** Incremented when a feed is added or removed. */
  revision = 0;
  private readonly feeds = new Map<ClusterName, MemberFeed>();
  private readonly leaving = new Set<ClusterName>();
  /** Clusters with a difference that was sent in part. */
  private readonly unfinished = new Set<ClusterName>();

  get size(): number {
    return this.feeds.size;
  }

  has(cluster: ClusterName): boolean {
    return this.feeds.has(cluster);
  }

  clusters(): ClusterName[] {
    return [...this.feeds.keys()];
  }

  positionOf(cluster: ClusterName): string | undefined {
    return this.feeds.get(cluster)?.position;
  }

  /** `isLikely`: for a cluster without a feed. */
  isCached(cluster: ClusterName, isLikely: (cluster: ClusterName) => boolean): boolean {
    return this.feeds.get(cluster)?.isCached ?? isLikely(cluster);
  }

  open(options: FeedOptions, from: string): void {
    this.feeds.set(options.cluster, new MemberFeed(options, from));
    this.revision++;
  }

  /** Closes a feed: none of its events is sent any more. */
  close(cluster: ClusterName): void {
    this.feeds.get(cluster)?.stop();
    this.feeds.delete(cluster);
    this.leaving.delete(cluster);
    this.unfinished.delete(cluster);
    this.revision++;
  }

  /** Called after events were sent. Returns whether every feed is between two events, and not within a difference. */
  sent(cluster: ClusterName, { events, position }: SourceBatch): boolean {
    if (isBehind(position, events.at(-1)?.position ?? position)) this.unfinished.add(cluster);
    else this.unfinished.delete(cluster);
    return this.unfinished.size === 0;
  }

  /** The member is removed. False: nothing reports its objects as deleted. */
  leave(cluster: ClusterName): boolean {
    if (!this.feeds.get(cluster)?.leave()) return false;
    this.leaving.add(cluster);
    return true;
  }

  /** Whether the objects of a removed member are being reported as deleted. */
  isLeaving(cluster: ClusterName): boolean {
    return this.leaving.has(cluster);
  }

  stop(): void {
    for (const feed of this.feeds.values()) feed.stop();
  }
}
