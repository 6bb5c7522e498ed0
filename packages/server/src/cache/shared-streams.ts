/** The streams of one shard that are being read, and how a watch comes to read along: it reads by itself until it is where they are. */

import type { Shard } from '@fleet/cache/messages.ts';
import { isOlder } from '@fleet/kube/version-order.ts';
import type { SourceBatch } from '../merge/source.ts';
import {
  behind,
  questionOf,
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

  /** How many are read. */
  get size(): number {
    return this.streams.size;
  }

  /** The events behind a state, until the feed no longer has them. Throws the signal's reason. */
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
        // It is about to come here.
        using reader = stream.reader(signal);
        await reader.next();
        continue;
      }
      const answer = await this.shard.events(questionOf(ask, at), signal);
      const batch = toBatch(answer, at);
      if (!batch) return;
      yield batch;
      if (answer.is !== 'events') return;
      at = behind(answer);
    }
  }

  private async *readAlong(stream: SharedStream, at: StreamPosition, signal: AbortSignal): AsyncGenerator<SourceBatch> {
    using reader = stream.reader(signal);
    let { position } = at;
    // The state is the same, but others know a newer version of it.
    if (isOlder(position, stream.at.position)) {
      position = stream.at.position;
      yield { events: [], position, resumable: true };
    }
    for (let step = await reader.next(); step; step = await reader.next()) {
      // Read before this reader came, who knows a newer version of the same state.
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
