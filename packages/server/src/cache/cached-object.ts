/** One named object of one member from the cache, in the form that the member itself would have sent (CACHE-7, CACHE-12). */

import type { Item, ItemForm } from '@fleet/cache/messages.ts';
import { isDecimal } from '@fleet/kube/version-order.ts';
import type { ClusterName } from '../target/target.ts';
import type { LiveReason, NamedFeed, Yes } from './cached-feed.ts';
import { isShownPruned } from './cached-source.ts';
import type { ObjectQuery } from './object-query.ts';

export interface CachedObjectOptions {
  cluster: ClusterName;
  feed: Pick<NamedFeed, 'id' | 'shard' | 'isFresh' | 'isPruned' | 'staleSince' | 'lastHeard'>;
  /** `namespace/name`, or `name`. */
  key: string;
  /** Whether the member allows the user to get just this object; undefined for anything but a yes (IMP-3). */
  allowed(signal: AbortSignal): Promise<Yes | undefined>;
  /** `fresh=true`: an unreachable member counts as such. */
  fresh: boolean;
  /** Whether it may be shown without its managedFields (CACHE-6). */
  mayPrune: boolean;
}

export interface ReadObject {
  /** As a member's answer. */
  bytes: Buffer;
  /** That it may be old, and since when. */
  warning?: string | undefined;
}

/** How long a version that has not come yet is waited for (CACHE-7). */
const patience = 3_000;

export class CachedObject {
  private readonly options: CachedObjectOptions;

  constructor(options: CachedObjectOptions) {
    this.options = options;
  }

  /** As fresh as it is asked for; why the cache does not have it so. */
  async read({ at, form, isPretty }: ObjectQuery, signal: AbortSignal): Promise<ReadObject | LiveReason> {
    const { feed, allowed, fresh } = this.options;
    const [isThere, yes] = await Promise.all([this.hasState(at, patience, signal), allowed(signal)]);
    if (!isThere) return at.is === 'latest' ? 'not-fresh' : 'version';
    if (!yes) return 'not-allowed';
    const since = feed.staleSince() ?? (yes.isOld ? feed.lastHeard() : undefined);
    if (since !== undefined && fresh) return 'not-fresh';
    // Nobody else can lay out what an unreachable member last sent.
    return isPretty && since === undefined ? 'form' : this.shown(form, since);
  }

  /** The last known object of a member that cannot be reached, never older than asked for; undefined where there is none (CACHE-12). */
  async readStale({ at, form }: ObjectQuery, signal: AbortSignal): Promise<ReadObject | undefined> {
    const { feed, allowed, fresh } = this.options;
    if (fresh) return undefined;
    if (at.is === 'not-older' && !(await this.hasState(at, 0, signal))) return undefined;
    if (!(await allowed(signal))) return undefined;
    const shown = await this.shown(form, feed.staleSince() ?? feed.lastHeard());
    return typeof shown === 'string' ? undefined : shown;
  }

  /** Whether the member has it; undefined where it has to be asked (CACHE-8). */
  async isThere(signal: AbortSignal): Promise<boolean | undefined> {
    const { feed, allowed } = this.options;
    const yes = await allowed(signal);
    // After the answer: what was written meanwhile counts.
    if (!yes || yes.isOld || !feed.isFresh()) return undefined;
    const found = await this.find({ as: 'PartialObjectMetadata' });
    return found.is === 'item' || found.is === 'absent' ? found.is === 'item' : undefined;
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
        // A version that the history no longer reaches back to is older than what there is now.
        return found.is === 'seq' || (found.is === 'floor' && isDecimal(at.version));
      }
      default:
        return at satisfies never;
    }
  }

  private find(form: ItemForm) {
    const { feed, key } = this.options;
    return feed.shard.get({ feed: feed.id, key, form });
  }

  private async shown(form: ItemForm, since: string | undefined): Promise<ReadObject | LiveReason> {
    const { cluster, feed, mayPrune } = this.options;
    if (feed.isPruned && !mayPrune && !isShownPruned(form)) return 'pruned';
    const found = await this.find(form);
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

/** Go's encoder ends with a line feed. A Table of one object has that object's version. */
function answerOf({ bytes, version, columns = [] }: Item, form: ItemForm): Buffer {
  const item = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (form.as !== 'Table') return Buffer.concat([item, Buffer.from('\n')]);
  const metadata = JSON.stringify({ resourceVersion: version });
  const head = `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"columnDefinitions":${JSON.stringify(columns)},"rows":[`;
  return Buffer.concat([Buffer.from(head), item, Buffer.from(']}\n')]);
}
