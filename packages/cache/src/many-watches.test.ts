import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MemoryShard } from './shard.ts';
import { podFeed, sampleRow } from './testing/sample-objects.ts';

const form = { as: 'object', inList: false } as const;
const watches = 100;

it('LIMIT-3: watches that one batch of events wakes are answered in turns', async () => {
  let [looks, isRunning] = [0, false];
  // Each step looks at the clock several times.
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6, clock: () => (isRunning ? looks++ : 0) });
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  using relist = writer.relist('row');
  relist.commit('10');
  const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
  if (page.is !== 'page') throw new Error(`answered ${page.is}`);
  let answered = 0;
  const all = Array.from({ length: watches }, async (_, number) => {
    const selection = { labelSelector: `app notin (${number})` };
    const answer = await shard.events({ feed: podFeed.id, after: page.seq, selection, form, bytes: 1e6 });
    answered++;
    return answer;
  });
  await turn();
  isRunning = true;
  writer.apply([{ type: 'ADDED', item: Buffer.from(sampleRow({ key: 'd/a', version: 11 })) }], '11');
  let mostAtOnce = 0;
  while (answered < watches) {
    const before = answered;
    await turn();
    mostAtOnce = Math.max(mostAtOnce, answered - before);
  }
  expect(mostAtOnce).toBeLessThan(10);
  for (const answer of await Promise.all(all)) expect(answer).toMatchObject({ is: 'events', types: ['ADDED'] });
});
