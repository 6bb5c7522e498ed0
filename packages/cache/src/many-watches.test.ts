import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MemoryShard } from './shard.ts';
import { podFeed, sampleRow } from './testing/sample-objects.ts';

const form = { as: 'object', inList: false } as const;
const watches = 100;

it('LIMIT-3: watches that one batch of events wakes are served in turns', async () => {
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

it('LIMIT-3: objects that are read by name at once are written in turns', async () => {
  let [looks, isRunning] = [0, false];
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6, clock: () => (isRunning ? looks++ : 0) });
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  using relist = writer.relist('row');
  relist.add([Buffer.from(sampleRow({ key: 'd/a', version: 1 }))]);
  relist.commit('10');
  isRunning = true;
  let answered = 0;
  const all = Array.from({ length: 30 }, async () => {
    const { is } = await shard.get({ feed: podFeed.id, key: 'd/a', form });
    answered++;
    return is;
  });
  let mostAtOnce = 0;
  while (answered < all.length) {
    const before = answered;
    await turn();
    mostAtOnce = Math.max(mostAtOnce, answered - before);
  }
  expect(mostAtOnce).toBeLessThan(15);
  expect(new Set(await Promise.all(all))).toEqual(new Set(['item']));
});

it('LIMIT-3: queued reads are dropped when their client is gone', async () => {
  let now = 0;
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6, clock: () => now });
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  using relist = writer.relist('row');
  relist.add([Buffer.from(sampleRow({ key: 'd/a', version: 1 }))]);
  relist.commit('10');
  const client = new AbortController();
  const { signal } = client;
  const first = shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
  now += 100;
  const waiting = [
    shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 }, signal),
    shard.get({ feed: podFeed.id, key: 'd/a', form }, signal),
  ];
  const left = new Error('the client has left');
  client.abort(left);
  for (const read of waiting) await expect(read).rejects.toBe(left);
  expect((await first).is).toBe('page');
});
