/** Shared by all parts of the contract suite: a shard that is filled with pods. */

import type { Change } from '../feed-writer.ts';
import type { EventsAnswer, EventsAsk, FeedId, ItemForm, ReadAnswer, ReadAsk, Shard } from '../messages.ts';
import { podFeed, type Sample, type sampleColumns, sampleRow } from './sample-objects.ts';

/** A shard, and the writes that its reflectors would do. Asynchronous, as the shard may run on another thread. */
export interface ShardUnderTest extends AsyncDisposable {
  shard: Shard;
  columns(feed: FeedId, columns: typeof sampleColumns): Promise<boolean>;
  list(feed: FeedId, items: readonly string[], position: string, wentBack?: boolean): Promise<void>;
  apply(feed: FeedId, changes: readonly { type: Change['type']; item: string }[], position: string): Promise<void>;
}

export const feed = podFeed.id;
export const object: ItemForm = { as: 'object', inList: true };
export const event: ItemForm = { as: 'object', inList: false };
export const bytes = 256 * 1024;

/** The items of an answer, as texts. */
export function itemsOf({ chunk, ends }: { chunk: Uint8Array; ends: Uint32Array }): string[] {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return [...ends].map((end, index) => text.toString('utf8', index === 0 ? 0 : ends[index - 1]!, end));
}

const page = (answer: ReadAnswer) => {
  if (answer.is !== 'page') throw new Error(`answered ${answer.is}`);
  return { ...answer, items: itemsOf(answer) };
};

const batch = (answer: EventsAnswer) => {
  if (answer.is !== 'events') throw new Error(`answered ${answer.is}`);
  return { ...answer, items: itemsOf(answer) };
};

export const nameOf = (item: string): string => {
  const { metadata } = JSON.parse(item) as { metadata: { name: string; namespace?: string } };
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
};

/** The shard of the test that is running. */
export class ShardContext {
  under!: ShardUnderTest;

  async read(ask: Partial<ReadAsk> = {}) {
    // Every answer can be sent to another thread.
    return page(structuredClone(await this.under.shard.read({ feed, at: 'now', form: object, bytes, ...ask })));
  }

  async events(ask: Partial<EventsAsk> & { after: number }) {
    return batch(structuredClone(await this.under.shard.events({ feed, form: event, bytes, ...ask })));
  }

  fill(samples: readonly Sample[], position: string): Promise<void> {
    return this.under.list(feed, samples.map(sampleRow), position);
  }

  apply(type: Change['type'], sample: Sample): Promise<void> {
    return this.under.apply(feed, [{ type, item: sampleRow(sample) }], String(sample.version));
  }
}

export const a: Sample = { key: 'd/a', version: 5, labels: { app: 'web' } };
export const b: Sample = { key: 'd/b', version: 6, labels: { app: 'db' }, phase: 'Pending', node: 'n2' };
export const c: Sample = { key: 'd-x/c', version: 7 };
