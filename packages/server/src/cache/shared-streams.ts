/** The shared streams of one shard. A watch reads on its own until it has caught up with the stream, then joins it. */

import type { Shard } from '@fleet/cache/messages.ts';
import { isOlder } from '@fleet/kube/version-order.ts';
import type { SourceBatch } from '../merge/source.ts';
import {
  eventsAskOf,
  positionAfter,
  SharedStream,
  type StreamAsk,
  type StreamPosition,
  type ToBatch,
} from './shared-stream.ts';

export class SharedStreams {
  private readonly shard: Shard;
  private readonly streams = new Map<string, SharedStream>();

  constructor(shard: Shard) {
    this.shard = shard;
  }

  /** How many streams are open. */
  get size(): number {
    return this.streams.size;
  }

  /** The events after a state, until the feed can no longer answer. Throws the signal's reason. */
  async *read(
    ask: StreamAsk,
    from: StreamPosition,
    toBatch: ToBatch,
    signal: AbortSignal,
  ): AsyncGenerator<SourceBatch> {
    let at = from;
    for (;;) {
      signal.throwIfAborted();
      const stream = this.streamAt(ask, at, toBatch);
      if (isSame(stream.at, at)) {
        yield* this.readAlong(stream, at, signal);
        return;
      }
      if (stream.at.after < at.after) {
        // The stream is behind this watch: wait for its next batch.
        using reader = stream.reader(signal);
        await reader.next();
        continue;
      }
      const answer = await this.shard.events(eventsAskOf(ask, at), signal);
      const batch = toBatch(answer, at);
      if (!batch) return;
      yield batch;
      if (answer.is !== 'events') return;
      at = positionAfter(answer);
    }
  }

  private async *readAlong(stream: SharedStream, at: StreamPosition, signal: AbortSignal): AsyncGenerator<SourceBatch> {
    using reader = stream.reader(signal);
    let { position } = at;
    // The same state, but bookmarks have given it a newer version.
    if (isOlder(position, stream.at.position)) {
      position = stream.at.position;
      yield { events: [], position, resumable: true };
    }
    for (let step = await reader.next(); step; step = await reader.next()) {
      // A bookmark that is older than the version this watch already has for the same state.
      if (step.next.after === at.after && isOlder(step.batch.position, position)) continue;
      position = step.batch.position;
      yield step.batch;
    }
  }

  private streamAt(ask: StreamAsk, at: StreamPosition, toBatch: ToBatch): SharedStream {
    const key = keyOf(ask);
    const known = this.streams.get(key);
    if (known) return known;
    const onEnd = () => {
      if (this.streams.get(key) === stream) this.streams.delete(key);
    };
    const stream: SharedStream = new SharedStream({ shard: this.shard, ask, toBatch, onEnd }, at);
    this.streams.set(key, stream);
    return stream;
  }
}

const isSame = (one: StreamPosition, other: StreamPosition): boolean =>
  one.after === other.after && one.skip === other.skip;

const keyOf = ({ feed, within, selection, form }: StreamAsk): string =>
  JSON.stringify([feed, within ?? null, selection.labelSelector ?? '', selection.fieldSelector ?? '', form]);
