/** A list read from the cache, page by page at one state, in the form that the member itself would have sent. */

import { setImmediate as turn } from 'node:timers/promises';
import { namesOf } from '@fleet/cache/item-names.ts';
import type { ItemForm, Page, ReadAsk, Shard } from '@fleet/cache/messages.ts';
import type { Items, ListEnvelope } from '@fleet/kube/list-splitter.ts';
import type { ListAnswer, SourceList } from '../merge/source.ts';
import { type CachedFeed, type LiveReason, liveReasonOf } from './cached-feed.ts';
import { continueToken } from './continue-token.ts';

/** What is copied at once: the event loop is free in between, and a slow client costs no more than this. */
const chunkSize = 256 * 1024;
/** With a limit the first answer tells whether there is more, so that it is read whole where that is cheap. */
const firstPageSize = 4 * 1024 * 1024;

export interface CachedListAsk {
  feed: CachedFeed;
  read: Pick<ReadAsk, 'at' | 'after' | 'within' | 'selection'> & { form: ItemForm };
  limit: number | undefined;
  /** The version that was asked for; left out: that of the state which is read. */
  version?: string | undefined;
  /** The rest of the list from the member, where the state has left the cache's history meanwhile. */
  goOnLive(token: string, limit: number | undefined): Promise<ListAnswer>;
  warning: string | undefined;
}

/** Why not, where the cache cannot answer. */
export async function openCachedList(ask: CachedListAsk): Promise<SourceList | LiveReason> {
  const { feed, limit } = ask;
  const { shard } = feed;
  const bytes = limit === undefined ? chunkSize : firstPageSize;
  const first = await shard.read({ ...readOf(ask), bytes, ...(limit === undefined ? {} : { limit }) });
  if (first.is !== 'page') return liveReasonOf(first);
  // Its first object may have come since the request did.
  if (!feed.isShapeKnown()) return 'not-filled';
  const list = new CachedList(ask, shard, first);
  return { is: 'list', head: list.head(), items: list.items(), end: () => list.end, warning: ask.warning };
}

const readOf = ({ feed, read }: CachedListAsk): Omit<ReadAsk, 'bytes'> => ({ feed: feed.id, ...read });

class CachedList {
  end: ListEnvelope = {};
  private readonly ask: CachedListAsk;
  private readonly shard: Shard;
  private readonly first: Page;
  /** A state that lasts has several versions, and one that is past only its first: all pages show the same (PAGE-1). */
  private readonly version: string;

  constructor(ask: CachedListAsk, shard: Shard, first: Page) {
    this.ask = ask;
    this.shard = shard;
    this.first = first;
    this.version = ask.version ?? first.position;
    this.end = this.envelope(first);
  }

  /** Custom resources report their version behind their items, as the member does. */
  head(): ListEnvelope {
    const { apiVersion, endsWithVersion } = this.ask.feed;
    if (endsWithVersion && this.ask.read.form.as === 'object') return { apiVersion };
    const { continue: more, ...metadata } = this.end.metadata ?? {};
    const isWhole = this.ask.limit === undefined || this.first.ends.length >= this.ask.limit;
    return more !== undefined && isWhole ? this.end : { ...this.end, metadata };
  }

  async *items(): AsyncGenerator<Items, void, undefined> {
    const { limit } = this.ask;
    let left = limit ?? Number.POSITIVE_INFINITY;
    let page = this.first;
    for (;;) {
      const items = itemsOf(page);
      left -= items.length;
      if (items.length > 0) yield items;
      // Nobody waits for a client here: a long search leaves turns to others (LIMIT-3).
      else if (page.next !== undefined) await turn();
      this.end = this.envelope(page);
      if (page.next === undefined || left <= 0) return;
      const after = page.next;
      const next = await this.shard.read({
        ...readOf(this.ask),
        at: page.seq,
        after,
        bytes: chunkSize,
        ...(limit === undefined ? {} : { limit: left }),
      });
      if (next.is !== 'page') {
        yield* this.rest(after, limit === undefined ? undefined : left);
        return;
      }
      page = next;
    }
  }

  private async *rest(after: string, limit: number | undefined): AsyncGenerator<Items> {
    const token = continueToken({ version: this.version, after }, this.ask.read.within);
    if (token === undefined) throw new Error('the state of a cached list is gone');
    const answer = await this.ask.goOnLive(token, limit);
    if (answer.is !== 'list') throw new Error(`the rest of a cached list: ${answer.is}`);
    yield* answer.items;
    this.end = answer.end();
  }

  private envelope({ next, left, columns }: Page): ListEnvelope {
    const { ask, version } = this;
    const { feed, limit, read } = ask;
    const more = limit !== undefined && next !== undefined;
    const token = more ? continueToken({ version, after: next }, read.within) : undefined;
    const metadata = {
      resourceVersion: version,
      ...(token === undefined ? {} : { continue: token }),
      ...(token === undefined || left === undefined ? {} : { remainingItemCount: left }),
    };
    switch (read.form.as) {
      case 'Table':
        return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: [...(columns ?? [])] };
      case 'PartialObjectMetadata':
        return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata };
      default:
        return { kind: feed.listKind, apiVersion: feed.apiVersion, metadata };
    }
  }
}

function itemsOf({ chunk, ends, names }: Page): Items {
  const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const items: Items = [];
  items.cutFrom = bytes;
  if (names) items.namesOf = (index) => namesOf(names, index);
  let from = 0;
  for (const end of ends) {
    items.push(bytes.subarray(from, end));
    from = end;
  }
  return items;
}
