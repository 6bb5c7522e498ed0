/** Watch events from the cache, in the form in which the member's own watch would send them. */

import type { Events, EventsAnswer, ItemForm, Selection } from '@fleet/cache/messages.ts';
import { oneLine } from '@fleet/kube/one-line.ts';
import { expired } from '@fleet/kube/status.ts';
import { isOlder } from '@fleet/kube/version-order.ts';
import { type EventLine, refuseMap } from '../merge/event-line.ts';
import type { SourceBatch, SourceEvent } from '../merge/source.ts';
import { type CachedFeed, type LiveReason, liveReasonOf } from './cached-feed.ts';
import type { StreamPosition } from './shared-stream.ts';

export interface CachedEventsAsk {
  feed: CachedFeed;
  after: number;
  /** The resource version that the client watches from. */
  position: string;
  within?: string;
  selection: Selection;
  form: ItemForm;
  signal: AbortSignal;
  /** Registers `end`, which is called to end the watch with an error. Returns a function that unregisters it. */
  until(end: (error: Error) => void): () => void;
}

/**
 * Returns the reason if the cache cannot answer. The batches end when the feed is no longer cached: the reader then opens the next
 * watch from their position.
 */
export async function cachedEvents(ask: CachedEventsAsk): Promise<AsyncIterable<SourceBatch> | LiveReason> {
  // `events` would wait if there is nothing new yet. A read of one item shows at once whether the cache can answer.
  const { shard, id } = ask.feed;
  // Rows from before a change of columns cannot be shown: such a watch goes to the member.
  const at = ask.form.as === 'Table' ? ask.after : 'now';
  const { selection, form, signal } = ask;
  const known = await shard.read({ feed: id, at, selection, form, bytes: 1, limit: 1 }, signal);
  return known.is === 'page' ? batchesOf(ask) : liveReasonOf(known);
}

async function* batchesOf(ask: CachedEventsAsk): AsyncGenerator<SourceBatch> {
  const { feed, within, selection, form } = ask;
  const over = new AbortController();
  const undo = ask.until((error) => {
    // A removed member cannot review again. All that follows are deletions of objects that it allowed the user to see.
    if (!feed.isLeaving()) over.abort(error);
  });
  const signal = AbortSignal.any([ask.signal, over.signal]);
  const shared = { feed: feed.id, ...(within === undefined ? {} : { within }), selection, form };
  const from = { after: ask.after, skip: 0, position: ask.position };
  try {
    yield* feed.streams.read(shared, from, (answer, at) => batchOf(answer, at, form), signal);
  } finally {
    undo();
  }
}

function batchOf(answer: EventsAnswer, { position }: StreamPosition, form: ItemForm): SourceBatch | undefined {
  if (answer.is === 'goodbye') return { events: [], position, resumable: false, isGoodbye: true };
  if (answer.is !== 'events') return undefined;
  // After a restore from a backup: a client that orders events by version would take old ones for new ones.
  if (isOlder(answer.leadsTo, position)) throw expired('the cluster has gone back to an earlier version');
  return {
    events: eventsOf(answer, form),
    position: answer.position,
    resumable: answer.resumable,
    ...(answer.unknown ? { unknown: answer.unknown } : {}),
    isShared: true,
    ...(answer.columns ? { columns: answer.columns } : {}),
  };
}

function eventsOf(answer: Events, form: ItemForm): SourceEvent[] {
  const chunk = Buffer.from(answer.chunk.buffer, answer.chunk.byteOffset, answer.chunk.byteLength);
  let from = 0;
  return answer.types.map((type, index) => {
    const item = oneLine(chunk.subarray(from, answer.ends[index]));
    from = answer.ends[index]!;
    const version = answer.versions[index]!;
    refuseMap(version);
    const pieces = form.as === 'Table' ? [tableHead, item, tableEnd] : [item];
    const { line, read } = lineOf(type, version, pieces);
    return { line, read, position: answer.resumable ? version : answer.leadsTo };
  });
}

/** Without columns: the batch has them once. In every event they would be copied every time (LIMIT-3). */
const tableHead = Buffer.from('{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":null,"rows":[');
const tableEnd = Buffer.from(']}');

function lineOf(type: string, version: string, pieces: readonly Buffer[]): { line: Buffer; read: EventLine } {
  const open = Buffer.from(`{"type":"${type}","object":`);
  const line = Buffer.concat([open, ...pieces, closing]);
  return { line, read: { type, version, object: { start: open.length, end: line.length - closing.length } } };
}

const closing = Buffer.from('}');
