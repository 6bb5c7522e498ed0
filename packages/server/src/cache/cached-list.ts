/** A list read from the cache, page by page at one state, in the form that the member itself would have sent. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { namesOf } from '@fleet/cache/item-names.ts';
import type { ItemForm, Page, ReadAsk, Shard } from '@fleet/cache/messages.ts';
import type { Items, ListEnvelope } from '@fleet/kube/list-splitter.ts';
import type { ListAnswer, SourceList } from '../merge/source.ts';
import { type CachedFeed, type LiveReason, liveReasonOf } from './cached-feed.ts';
import { continueToken } from './continue-token.ts';

/** In bytes: copied in one step, and held in memory for a slow client. */
const chunkSize = 256 * 1024;
/** In bytes. With a limit, kube-apiserver writes `continue` before the items. So a page up to this size is read whole first. */
const firstPageSize = 4 * 1024 * 1024;

export interface CachedListAsk {
  feed: CachedFeed;
  read: Pick<ReadAsk, 'at' | 'after' | 'within' | 'selection'> & { form: ItemForm };
  limit: number | undefined;
  /** The requested version; left out: the version of the state that is read. */
  version?: string | undefined;
  /** Reads the rest of the list from the member, if the state leaves the cache's history before the list is complete. */
  continueLive(token: string, limit: number | undefined): Promise<ListAnswer>;
  warning: string | undefined;
  /** Of the request: a search that finds nothing would otherwise continue after its client has left. */
  signal: AbortSignal;
}

/** Returns the reason if the cache cannot answer. */
export async function openCachedList(ask: CachedListAsk): Promise<SourceList | LiveReason> {
  const { feed, limit, signal } = ask;
  const { shard } = feed;
  const bytes = limit === undefined ? chunkSize : firstPageSize;
  const first = await shard.read({ ...readOf(ask), bytes, ...(limit === undefined ? {} : { limit }) }, signal);
  if (first.is !== 'page') return liveReasonOf(first);
  // The first object may have arrived after the request did.
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
  /** Of all pages (PAGE-1). Bookmarks give the newest state other versions, so the one of the first page is kept here. */
  private readonly version: string;

  constructor(ask: CachedListAsk, shard: Shard, first: Page) {
    this.ask = ask;
    this.shard = shard;
    this.first = first;
    this.version = ask.version ?? first.position;
    this.end = this.envelope(first);
  }

  /** Lists of custom resources have their version after the items, as the member's have. */
  head(): ListEnvelope {
    const { apiVersion, endsWithVersion } = this.ask.feed;
    if (endsWithVersion && this.ask.read.form.as === 'object') return { apiVersion };
    const { continue: more, ...metadata } = this.end.metadata ?? {};
    const isWhole = this.ask.limit === undefined || this.first.ends.length >= this.ask.limit;
    return more !== undefined && isWhole ? this.end : { ...this.end, metadata };
  }

  async *items(): AsyncGenerator<Items, void, undefined> {
    const { limit, signal } = this.ask;
    let left = limit ?? Number.POSITIVE_INFINITY;
    let page = this.first;
    for (;;) {
      const items = itemsOf(page);
      left -= items.length;
      if (items.length > 0) yield items;
      // An empty page is not sent, so nothing waits for the client here. Yield, so that a long search does not block (LIMIT-3).
      else if (page.next !== undefined) await nextTurn();
      this.end = this.envelope(page);
      if (page.next === undefined || left <= 0) return;
      const after = page.next;
      const rest = { at: page.seq, after, bytes: chunkSize, ...(limit === undefined ? {} : { limit: left }) };
      const next = await this.shard.read({ ...readOf(this.ask), ...rest }, signal);
      if (next.is !== 'page') {
        yield* this.rest(after, limit === undefined ? undefined : left);
        return;
      }
      page = next;
    }
  }

  private async *rest(after: string, limit: number | undefined): AsyncGenerator<Items> {
    const token = continueToken({ version: this.version, after }, this.ask.read.within);
    if (token === undefined) throw new Error('the state of a cached list has left the history');
    const answer = await this.ask.continueLive(token, limit);
    if (answer.is !== 'list') throw new Error(`the rest of a cached list cannot be read from the member: ${answer.is}`);
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
