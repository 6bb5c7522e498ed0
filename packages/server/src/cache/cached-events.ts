/** The events of a feed of the cache, as a member's own watch would have sent them. */

import type { Events, EventsAnswer, ItemForm, Selection } from '@fleet/cache/messages.ts';
import { expired } from '@fleet/kube/status.ts';
import { isOlder } from '@fleet/kube/version-order.ts';
import type { EventLine } from '../merge/event-line.ts';
import type { SourceBatch, SourceEvent } from '../merge/source.ts';
import { type CachedFeed, type LiveReason, liveReasonOf } from './cached-feed.ts';
import type { StreamPosition } from './shared-stream.ts';

export interface CachedEventsAsk {
  feed: CachedFeed;
  after: number;
  /** The version that the client knows. */
  position: string;
  within?: string;
  selection: Selection;
  form: ItemForm;
  signal: AbortSignal;
  /** Given what ends the watch with an error; returns what undoes that. */
  until(end: (error: Error) => void): () => void;
}

/**
 * Why not, where the cache cannot answer. Batches end where the feed is no longer cached: whoever reads
 * them opens the next watch from their position.
 */
export async function cachedEvents(ask: CachedEventsAsk): Promise<AsyncIterable<SourceBatch> | LiveReason> {
  // A state that is behind the newest answers at once, any other when something happens: only the first case can be refused here.
  const { shard, id } = ask.feed;
  // Rows from before the columns changed cannot be shown: the member has to.
  const at = ask.form.as === 'Table' ? ask.after : 'now';
  const known = await shard.read({ feed: id, at, selection: ask.selection, form: ask.form, bytes: 1, limit: 1 });
  return known.is === 'page' ? batchesOf(ask) : liveReasonOf(known);
}

async function* batchesOf(ask: CachedEventsAsk): AsyncGenerator<SourceBatch> {
  const { feed, within, selection, form } = ask;
  const over = new AbortController();
  const undo = ask.until((error) => {
    // A removed member can no longer be asked: what it allowed last covers what was sent before, which is all that follows.
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
  // Whoever keeps events in the order of their versions would take those from before for those that are to come.
  if (isOlder(answer.position, position)) throw expired('the cluster has gone back to an earlier version');
  return {
    events: eventsOf(answer, form),
    position: answer.position,
    resumable: answer.resumable,
    isShared: true,
    ...(answer.columns ? { columns: answer.columns } : {}),
  };
}

function eventsOf(answer: Events, form: ItemForm): SourceEvent[] {
  const chunk = Buffer.from(answer.chunk.buffer, answer.chunk.byteOffset, answer.chunk.byteLength);
  const columns = form.as === 'Table' ? Buffer.from(JSON.stringify(answer.columns ?? [])) : undefined;
  let from = 0;
  return answer.types.map((type, index) => {
    const item = chunk.subarray(from, answer.ends[index]);
    from = answer.ends[index]!;
    const version = answer.versions[index]!;
    const pieces = columns ? tableOf(item, columns) : [item];
    const { line, read } = lineOf(type, version, pieces);
    return { line, read, position: answer.resumable ? version : answer.position };
  });
}

const tableOf = (row: Buffer, columns: Buffer): Buffer[] => [tableHead, columns, tableRows, row, tableEnd];
const tableHead = Buffer.from('{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":');
const tableRows = Buffer.from(',"rows":[');
const tableEnd = Buffer.from(']}');

function lineOf(type: string, version: string, pieces: readonly Buffer[]): { line: Buffer; read: EventLine } {
  const open = Buffer.from(`{"type":"${type}","object":`);
  const line = Buffer.concat([open, ...pieces, closing]);
  return { line, read: { type, version, object: { start: open.length, end: line.length - closing.length } } };
}

const closing = Buffer.from('}');
