/** A fleet whose members are cached, watched through merged watches. */

import type { FeedSpec } from '@fleet/cache/messages.ts';
import { MemoryShard } from '@fleet/cache/shard.ts';
import { expect, vi } from 'vitest';
import { SharedStreams } from '../cache/shared-streams.ts';
import { CachedMember } from './cached-member.ts';
import { Fleet } from './watch-fleet.ts';

export class CachedFleet extends Fleet {
  readonly shard: MemoryShard;
  readonly streams: SharedStreams;
  private readonly registered = new Map<string, FeedSpec>();

  constructor() {
    super();
    this.shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024 });
    this.streams = new SharedStreams(this.shard);
    this.sources = (cluster, user) => this.cached(cluster).sourceFor(user);
  }

  cached(cluster: string): CachedMember {
    return this.member(cluster) as CachedMember;
  }

  /** Waits until this many watches of each member are answered from the cache. */
  async cachedFor(watches: number): Promise<void> {
    const all = () => this.members.map(({ cluster }) => this.cached(cluster).cachedWatches);
    await vi.waitFor(() => expect(all()).toEqual(this.members.map(() => watches)));
  }

  async join(cluster: string, version: number, names: readonly string[] = []): Promise<CachedMember> {
    const member = new CachedMember(this.shard, this.streams, cluster, version, names);
    this.registered.set(cluster, member.spec);
    await this.shard.want({ feeds: [...this.registered.values()] });
    member.fill();
    this.members.push(member);
    return member;
  }

  /** The member's Cluster is deleted. */
  async remove(cluster: string): Promise<void> {
    const { spec } = this.cached(cluster);
    this.members = this.members.filter((member) => member.cluster !== cluster);
    this.registered.delete(cluster);
    this.watches.lose(cluster);
    await this.shard.want({ feeds: [...this.registered.values()], goodbye: [spec.id] });
  }

  /** The member is no longer cached, but not removed. */
  async deregister(cluster: string): Promise<void> {
    this.registered.delete(cluster);
    await this.shard.want({ feeds: [...this.registered.values()] });
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    void this.shard[Symbol.asyncDispose]();
  }
}
