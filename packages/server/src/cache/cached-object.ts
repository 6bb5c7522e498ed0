/** Reads one named object of one member from the cache, in the form that the member would send (CACHE-7, CACHE-12). */

import type { Item, ItemForm } from '@fleet/cache/messages.ts';
import { isDecimal } from '@fleet/kube/version-order.ts';
import type { ClusterName } from '../target/target.ts';
import type { CachedFeed, LiveReason, Yes } from './cached-feed.ts';
import { isShownPruned } from './cached-source.ts';
import type { ObjectQuery } from './object-query.ts';

export interface CachedObjectOptions {
  cluster: ClusterName;
  feed: Pick<CachedFeed, 'id' | 'shard' | 'isFresh' | 'isPruned' | 'staleSince' | 'lastHeard'>;
  /** `namespace/name`, or `name`. */
  key: string;
  /** Whether the member allows the user to get this object; undefined if not (IMP-3). */
  allowed(signal: AbortSignal): Promise<Yes | undefined>;
  /** `fresh=true`: no last known object of an unreachable member. */
  fresh: boolean;
  /** Whether it may be shown without its managedFields (CACHE-6). */
  canPrune: boolean;
}

export interface ReadObject {
  /** The response body. */
  bytes: Buffer;
  /** If the object may be stale: names the cluster and the time. */
  warning?: string | undefined;
}

/** In milliseconds: how long to wait for a version that the stream has not reached (CACHE-7). */
const longestWait = 3_000;

export class CachedObject {
  private readonly options: CachedObjectOptions;

  constructor(options: CachedObjectOptions) {
    this.options = options;
  }

  /** The object, as fresh as requested; otherwise the reason for going live. */
  async read({ at, form, isPretty }: ObjectQuery, signal: AbortSignal): Promise<ReadObject | LiveReason> {
    const { feed, allowed, fresh } = this.options;
    const [isThere, yes] = await Promise.all([this.hasState(at, longestWait, signal), allowed(signal)]);
    if (!isThere) return at.is === 'latest' ? 'not-fresh' : 'version';
    if (!yes) return 'not-allowed';
    const since = feed.staleSince() ?? (yes.isOld ? feed.lastHeard() : undefined);
    if (since !== undefined && fresh) return 'not-fresh';
    // Only the member can indent it. If it is unreachable, compact JSON is better than none.
    return isPretty && since === undefined ? 'form' : this.shown(form, since, signal);
  }

  /** The last known object of an unreachable member, never older than requested; undefined if there is none (CACHE-12). */
  async readStale({ at, form }: ObjectQuery, signal: AbortSignal): Promise<ReadObject | undefined> {
    const { feed, allowed, fresh } = this.options;
    if (fresh) return undefined;
    if (at.is === 'not-older' && !(await this.hasState(at, 0, signal))) return undefined;
    if (!(await allowed(signal))) return undefined;
    const shown = await this.shown(form, feed.staleSince() ?? feed.lastHeard(), signal);
    return typeof shown === 'string' ? undefined : shown;
  }

  /** Whether the member has it; undefined if the member has to be asked (CACHE-8). */
  async isThere(signal: AbortSignal): Promise<boolean | undefined> {
    const { feed, key, allowed } = this.options;
    const yes = await allowed(signal);
    // Checked after the review: a write in the meantime makes the feed stale.
    if (!yes || yes.isOld || !feed.isFresh()) return undefined;
    const found = await feed.shard.has({ feed: feed.id, key }, signal);
    return found.is === 'gone' ? undefined : found.is === 'there';
  }

  private async hasState(at: ObjectQuery['at'], wait: number, signal: AbortSignal): Promise<boolean> {
    const { feed } = this.options;
    switch (at.is) {
      case 'any':
        return true;
      case 'latest':
        return feed.isFresh();
      case 'not-older': {
        const found = await feed.shard.seqOf({ feed: feed.id, version: at.version, wait }, signal);
        // A version that has left the history is older than the newest state.
        return found.is === 'seq' || (found.is === 'floor' && isDecimal(at.version));
      }
      default:
        return at satisfies never;
    }
  }

  private async shown(
    form: ItemForm,
    since: string | undefined,
    signal: AbortSignal,
  ): Promise<ReadObject | LiveReason> {
    const { cluster, feed, key, canPrune } = this.options;
    if (feed.isPruned && !canPrune && !isShownPruned(form)) return 'pruned';
    const found = await feed.shard.get({ feed: feed.id, key, form, endsLine: form.as !== 'Table' }, signal);
    switch (found.is) {
      case 'item': {
        const warning = since && `cluster "${cluster}" cannot be reached: its objects are those of ${since}`;
        return { bytes: answerOf(found, form), warning };
      }
      case 'absent':
        return 'absent';
      case 'gone':
        return 'not-filled';
      default:
        return 'form';
    }
  }
}

/** A Table of one object has that object's version. Go's encoder ends with a line feed. */
function answerOf({ bytes, version, columns = [] }: Item, form: ItemForm): Buffer {
  const item = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (form.as !== 'Table') return item;
  const metadata = JSON.stringify({ resourceVersion: version });
  const head = `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"columnDefinitions":${JSON.stringify(columns)},"rows":[`;
  return Buffer.concat([Buffer.from(head), item, Buffer.from(']}\n')]);
}
