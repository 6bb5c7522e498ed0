/** One resource of one member, from the cache. What the cache cannot answer exactly goes to the live source, unchanged (CACHE-17). */

import type { ItemForm, Lost, ReadAsk } from '@fleet/cache/messages.ts';
import type { Form } from '@fleet/kube/negotiate.ts';
import { expired } from '@fleet/kube/status.ts';
import { hasReached, isDecimal, isOlder } from '@fleet/kube/version-order.ts';
import type { ListedAt } from '../merge/list-query.ts';
import { listedPosition } from '../merge/positions.ts';
import type { Selection } from '../merge/selection.ts';
import type { ListAnswer, ListAsk, NoList, Permission, Source, WatchAnswer, WatchAsk } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { cachedEvents } from './cached-events.ts';
import type { CachedFeed, FeedPermissions, LiveReason, Yes } from './cached-feed.ts';
import { itemForm } from './cached-form.ts';
import { openCachedList } from './cached-list.ts';
import { readContinueToken } from './continue-token.ts';
import { selectsByFields } from './selectable-fields.ts';

export interface CachedSourceOptions {
  /** The same resource, read from the member. */
  live: Source;
  feed: CachedFeed;
  /** Undefined: all namespaces, or a cluster-scoped resource. */
  namespace: string | undefined;
  permissions: FeedPermissions;
  /** `consistent=true`: never from the cache. `fresh=true`: an unreachable member is missing. */
  requestOptions: { consistent?: boolean; fresh?: boolean };
  /** Whether a write through this server may not be in the cache yet (CACHE-7). */
  isWritePending(): boolean;
  /** Whether objects may be shown without their managedFields, as at the aggregation endpoint (CACHE-6). */
  canPrune: boolean;
  onLive(reason: LiveReason): void;
  onCached(): void;
  /** In milliseconds: how long to wait for a version that the stream has not reached (CACHE-7). By default 3 s. */
  longestWait?: number;
}

interface Start extends Pick<ReadAsk, 'at' | 'after'> {
  /** The version that the client requested. */
  version?: string;
}

export class CachedSource implements Source {
  readonly cluster: ClusterName;
  readonly isCached: boolean;
  private readonly options: CachedSourceOptions;
  private readonly longestWait: number;

  constructor(options: CachedSourceOptions) {
    this.longestWait = options.longestWait ?? 3_000;
    this.cluster = options.live.cluster;
    this.isCached = options.requestOptions.consistent !== true;
    this.options = options;
  }

  async list(ask: ListAsk): Promise<ListAnswer> {
    const { live, onLive } = this.options;
    const cached = await this.cachedList(ask);
    if (typeof cached !== 'string') {
      this.options.onCached();
      return cached;
    }
    onLive(cached);
    const answer = await live.list(ask);
    if (answer.is !== 'missing' || (cached !== 'not-fresh' && cached !== 'own-write')) return answer;
    return (await this.staleList(ask)) ?? answer;
  }

  async position(signal: AbortSignal): Promise<string | undefined> {
    const { feed, permissions, requestOptions, isWritePending } = this.options;
    if (requestOptions.consistent) return undefined;
    const yes = await permissions.ask('list', { labelSelector: '', fieldSelector: '' }, signal);
    if (!yes || yes.isOld || !feed.isFresh() || isWritePending() || !feed.isShapeKnown()) return undefined;
    return feed.position();
  }

  async watch(ask: WatchAsk): Promise<WatchAnswer> {
    const cached = await this.cachedWatch(ask);
    if (typeof cached !== 'string') {
      this.options.onCached();
      return cached;
    }
    this.options.onLive(cached);
    return this.options.live.watch(ask);
  }

  async canWatch(ask: WatchAsk): Promise<Permission> {
    const yes = await this.options.permissions.ask('watch', ask.selection, ask.signal);
    return yes ? { is: 'allowed' } : this.options.live.canWatch(ask);
  }

  async hasLost(version: string, signal: AbortSignal): Promise<boolean> {
    const { feed } = this.options;
    const found = await feed.shard.seqOf({ feed: feed.id, version }, signal);
    return found.is === 'lost' && !(await this.isAssignedAgain(version, signal));
  }

  private async cachedList(ask: ListAsk): Promise<ListAnswer | LiveReason> {
    const { query, signal } = ask;
    if (this.options.requestOptions.consistent) return 'consistent';
    const [start, yes] = await Promise.all([
      this.startOf(query.at, signal),
      this.options.permissions.ask('list', query.selection, signal),
    ]);
    if (typeof start === 'string') return start;
    if (!yes) return 'not-allowed';
    return 'is' in start ? this.wentBack() : this.readList(ask, start, yes);
  }

  /** The last known objects of an unreachable member (CACHE-12). */
  private async staleList(ask: ListAsk): Promise<ListAnswer | undefined> {
    if (this.options.requestOptions.fresh || ask.query.at.is !== 'latest') return undefined;
    const yes = await this.options.permissions.ask('list', ask.query.selection, ask.signal);
    if (!yes) return undefined;
    const list = await this.readList(ask, { at: 'now' }, yes);
    return typeof list === 'string' ? undefined : list;
  }

  private async readList(ask: ListAsk, start: Start, yes: Yes): Promise<ListAnswer | LiveReason> {
    const { feed, namespace, live, requestOptions } = this.options;
    const { query, form } = ask;
    const { labelSelector, fieldSelector } = query.selection;
    const shown = this.formOf(form, query.selection, true);
    if (typeof shown === 'string') return shown;
    const since = feed.staleSince() ?? (yes.isOld ? feed.lastHeard() : undefined);
    if (since !== undefined && requestOptions.fresh) return 'not-fresh';
    return openCachedList({
      feed,
      version: start.version,
      read: {
        at: start.at,
        ...(start.after === undefined ? {} : { after: start.after }),
        ...(namespace === undefined ? {} : { within: namespace }),
        selection: { labelSelector, fieldSelector },
        form: shown,
      },
      limit: query.limit,
      continueLive: (token, limit) => live.list({ ...ask, query: { ...query, limit, at: { is: 'after', token } } }),
      warning: since && `cluster "${this.cluster}" cannot be reached: its objects are those of ${since}`,
      signal: ask.signal,
    });
  }

  /** The form that the cache shows; otherwise the reason for going live. */
  private formOf(form: Form, selection: Selection, inList: boolean): ItemForm | LiveReason {
    const { feed, canPrune } = this.options;
    if (selectsByFields(selection.fieldSelector) && !feed.areFieldsKnown()) return 'unknown-field';
    const shown = itemForm(form, selection, inList);
    if (!shown) return 'form';
    return feed.isPruned && !canPrune && !isShownPruned(shown) ? 'pruned' : shown;
  }

  /** The state that a request asks for; otherwise the reason for going live. */
  private async startOf(at: ListedAt, signal: AbortSignal): Promise<Start | Lost | LiveReason> {
    const { feed, namespace } = this.options;
    switch (at.is) {
      case 'any':
        return { at: 'now' };
      case 'latest':
        if (!feed.isFresh()) return 'not-fresh';
        return this.options.isWritePending() ? 'own-write' : { at: 'now' };
      case 'not-older': {
        const found = await feed.shard.seqOf({ feed: feed.id, version: at.version, wait: this.longestWait }, signal);
        if (found.is === 'lost' && isOlder(feed.position() ?? '', at.version))
          return this.lost(found, at.version, signal);
        // A version that has left the history is older than the newest state. An invalid one is for the member to reject.
        const isPast = (found.is === 'floor' || found.is === 'lost') && isDecimal(at.version);
        return found.is === 'seq' || isPast ? { at: 'now' } : 'version';
      }
      case 'exact': {
        const found = await feed.shard.seqOf({ feed: feed.id, version: at.version }, signal);
        if (found.is === 'lost') return this.lost(found, at.version, signal);
        return found.is === 'seq' ? { at: found.seq, version: at.version } : 'version';
      }
      case 'after': {
        const token = readContinueToken(at.token, namespace);
        if (!token) return 'version';
        const found = await feed.shard.seqOf({ feed: feed.id, version: token.version }, signal);
        if (found.is === 'lost') return this.lost(found, token.version, signal);
        return found.is === 'seq' ? { at: found.seq, ...token } : 'version';
      }
      default:
        return at satisfies never;
    }
  }

  private async lost(lost: Lost, version: string, signal: AbortSignal): Promise<Lost | LiveReason> {
    return (await this.isAssignedAgain(version, signal)) ? 'version' : lost;
  }

  /**
   * Whether the member has reached a version that looks lost: it assigns the same numbers again. A quiet stream learns of them a minute
   * later, but clients have them at once from lists that the member answered.
   */
  private async isAssignedAgain(version: string, signal: AbortSignal): Promise<boolean> {
    const { feed, live } = this.options;
    if (!isOlder(feed.position() ?? '', version)) return false;
    // A list that breaks off shows nothing.
    const now = await listedPosition(live, signal).catch(() => undefined);
    return now !== undefined && hasReached(now, version);
  }

  /** Not sent to the member: it would wait for a version that it has not reached again since its restore. */
  private wentBack(): NoList {
    return { is: 'expired', error: expired(`cluster "${this.cluster}" has gone back to an earlier version`) };
  }

  private async cachedWatch(ask: WatchAsk): Promise<WatchAnswer | LiveReason> {
    const { feed, namespace, permissions, requestOptions } = this.options;
    const { selection, signal } = ask;
    if (requestOptions.consistent) return 'consistent';
    const form = this.formOf(ask.form, selection, false);
    if (typeof form === 'string') return form;
    const [from, yes] = await Promise.all([
      feed.shard.seqOf({ feed: feed.id, version: ask.from, wait: this.longestWait }, signal),
      permissions.ask('watch', selection, signal),
    ]);
    if (from.is === 'lost' && yes && !(await this.isAssignedAgain(ask.from, signal))) return this.wentBack();
    if (from.is !== 'seq') return 'version';
    if (!yes) return 'not-allowed';
    const lost = () => expired(`cluster "${this.cluster}" no longer allows this watch`);
    const { labelSelector, fieldSelector } = selection;
    const batches = await cachedEvents({
      feed,
      after: from.seq,
      position: ask.from,
      ...(namespace === undefined ? {} : { within: namespace }),
      selection: { labelSelector, fieldSelector },
      form,
      signal,
      until: (end) => yes.onLost(() => end(lost())),
    });
    return typeof batches === 'string' ? batches : { is: 'open', batches, isCached: true };
  }
}

/** Tables are for people: nobody applies the metadata of a row, so missing managedFields do no harm. */
export const isShownPruned = (form: ItemForm): boolean => form.as === 'Table' && form.includeObject !== 'Object';
