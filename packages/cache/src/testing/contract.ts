/** The contract suite of `Shard`, for every implementation: in process, on a worker thread, in PostgreSQL. */

import { afterEach, beforeEach, describe } from 'vitest';
import { feed, ShardContext, type ShardUnderTest } from './contract-context.ts';
import { readContract } from './contract-reads.ts';
import { watchContract } from './contract-watches.ts';
import { podFeed, sampleColumns } from './sample-objects.ts';

export function describeShard(engine: string, open: () => Promise<ShardUnderTest>): void {
  describe(`a shard (${engine})`, () => {
    const context = new ShardContext();
    beforeEach(async () => {
      context.under = await open();
      await context.under.shard.want({ feeds: [podFeed] });
      await context.under.columns(feed, sampleColumns);
    });
    afterEach(() => context.under[Symbol.asyncDispose]());

    readContract(context);
    watchContract(context);
  });
}
