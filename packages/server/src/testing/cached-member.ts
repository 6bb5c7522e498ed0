/** A simulated member that is cached. A change is visible in the member and in the cache at once, to users by their permissions. */

import type { FeedSpec } from '@fleet/cache/messages.ts';
import type { MemoryShard } from '@fleet/cache/shard.ts';
import type { User } from '../authn/user.ts';
import type { LiveReason } from '../cache/cached-feed.ts';
import { CachedSource } from '../cache/cached-source.ts';
import type { SharedStreams } from '../cache/shared-streams.ts';
import type { Source } from '../merge/source.ts';
import { FakeWatched } from './fake-watched.ts';

const specOf = (cluster: string, resource: string): FeedSpec => ({
  id: `${cluster}/${resource}`,
  cluster,
  group: '',
  version: 'v1',
  resource,
  kind: 'Pod',
  namespaced: false,
  typeMetaInLists: false,
});

export class CachedMember extends FakeWatched {
  /** The users that it refuses: `alice` for everything, `alice watch` for watches. */
  readonly refused = new Set<string>();
  /** Requests that were sent to the member itself, such as `alice watch 12`. */
  readonly live: string[] = [];
  /** The reasons why the cache did not answer them. */
  readonly reasons: LiveReason[] = [];
  readonly spec: FeedSpec;
  private readonly shard: MemoryShard;
  private readonly streams: SharedStreams;
  private readonly names: Set<string>;
  private readonly held = new Map<string, Set<() => void>>();

  constructor(shard: MemoryShard, streams: SharedStreams, cluster: string, version: number, names: readonly string[]) {
    super(cluster, version, names);
    this.shard = shard;
    this.streams = streams;
    this.spec = specOf(cluster, `pods${version}`);
    this.names = new Set(names);
  }

  /** Lists the member into the cache. */
  fill(): void {
    using relist = this.shard.writer(this.spec.id)!.relist('object');
    relist.add([...this.names].map((name) => this.objectOf(name)));
    relist.commit(String(this.version));
  }

  /** Lists it into the cache again: events in the meantime are unknown. */
  relist(version: number, names: readonly string[]): void {
    this.version = version;
    this.names.clear();
    for (const name of names) this.names.add(name);
    this.fill();
  }

  /** The same with a list like the one before. */
  relistUnchanged(version: number): void {
    const objects = [...this.names].map((name) => this.objectOf(name));
    this.version = version;
    using relist = this.shard.writer(this.spec.id)!.relist('object');
    relist.add(objects);
    relist.commit(String(version));
  }

  override put(name: string): void {
    super.put(name);
    this.happenedThere('MODIFIED', name);
    this.names.add(name);
  }

  override remove(name: string): void {
    super.remove(name);
    this.happenedThere('DELETED', name);
    this.names.delete(name);
  }

  /** How many of its watches are answered from the cache. */
  get cachedWatches(): number {
    return [...this.held.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Ends this user's cached watches, as a repeated access review does. */
  revoke(user: string): void {
    this.refused.add(user);
    for (const lost of [...(this.held.get(user) ?? [])]) lost();
  }

  sourceFor({ name }: User): Source {
    const refusal = { is: 'refused', error: Object.assign(new Error('forbidden'), { code: 403 }) as never } as const;
    const isRefused = (verb: string) => this.refused.has(name) || this.refused.has(`${name} ${verb}`);
    const asked = (verb: string, from = '') => {
      this.live.push(`${name} ${verb}${from}`);
      return isRefused(verb);
    };
    const live: Source = {
      cluster: this.cluster,
      list: async (ask) => (asked('list') ? refusal : super.list(ask)),
      watch: async (ask) => (asked('watch', ` ${ask.from}`) ? refusal : super.watch(ask)),
      canWatch: async (ask) => (asked('watch', ', if it may') ? refusal : super.canWatch(ask)),
      hasLost: async () => false,
    };
    const { shard, spec } = this;
    const writer = shard.writer(spec.id);
    if (writer?.position === undefined) return live;
    return new CachedSource({
      live,
      feed: {
        id: spec.id,
        shard,
        streams: this.streams,
        apiVersion: 'v1',
        listKind: 'PodList',
        endsWithVersion: false,
        isFresh: () => true,
        position: () => writer.position,
        staleSince: () => undefined,
        lastHeard: () => '',
        isLeaving: () => shard.isLeaving(spec.id),
        areFieldsKnown: () => true,
        isShapeKnown: () => true,
        isPruned: false,
      },
      namespace: undefined,
      permissions: {
        ask: async (verb) => (isRefused(verb) ? undefined : { isOld: false, onLost: (lost) => this.hold(name, lost) }),
      },
      requestOptions: {},
      isWritePending: () => false,
      canPrune: false,
      onLive: (reason) => void this.reasons.push(reason),
      onCached: () => {},
    });
  }

  private hold(user: string, lost: () => void): () => void {
    const those = this.held.get(user) ?? new Set();
    this.held.set(user, those.add(lost));
    // Repeated, as the earlier review was before the change.
    if (this.refused.has(user)) queueMicrotask(lost);
    return () => those.delete(lost);
  }

  private objectOf(name: string): Buffer {
    const metadata = { name, uid: `${this.cluster}-${name}`, resourceVersion: String(this.version) };
    return Buffer.from(JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata }));
  }

  private happenedThere(type: 'MODIFIED' | 'DELETED', name: string): void {
    const item = this.objectOf(name);
    this.shard.writer(this.spec.id)?.apply([{ type, item }], String(this.version));
  }
}
