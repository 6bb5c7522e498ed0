import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { LocalStore } from '../store/local-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { SqliteEngine } from '../store/sqlite/sqlite-engine.ts';
import { heldWatch } from '../store/testing/held-watch.ts';
import { temporaryDirectory } from '../store/testing/temporary-directory.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';
import { create } from '../store/testing/writing.ts';
import { ObjectFeed } from './object-feed.ts';

/** A feed whose snapshots continue when the test allows it. */
function opened() {
  const base = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
  const watch = heldWatch(base, '/a/');
  let snapshots = 0;
  let given = Promise.withResolvers<void>();
  const range: ObjectStore['range'] = async (query) => {
    const made = await base.range(query);
    snapshots += 1;
    await given.promise;
    return made;
  };
  const feed = new ObjectFeed({
    store: wrappedStore(watch.store, { range }),
    prefix: '/a/',
    onSnapshot: () => undefined,
    onSynced: () => undefined,
    onChange: () => undefined,
    onError: () => undefined,
    retryMillis: 1,
  });
  const give = (): void => given.resolve();
  onTestFinished(async () => {
    give();
    await feed[Symbol.asyncDispose]();
    await base[Symbol.asyncDispose]();
  });
  return {
    base,
    feed,
    watch,
    give,
    keep: () => {
      given = Promise.withResolvers();
    },
    isRead: (count: number) => expect.poll(() => snapshots).toBe(count),
  };
}

it('CP-1: what was written beside the feed while a snapshot was read does not keep it from catching up', async () => {
  const { base, feed, give, isRead } = opened();
  await isRead(1);
  await create(base, '/b/beside', 'x');
  const caughtUp = feed.caughtUp();
  await turn();
  give();
  await caughtUp;
});

it('CP-1: after a watch was cut nothing counts as sent until there is a new snapshot', async () => {
  const { base, feed, watch, give, keep, isRead } = opened();
  await create(base, '/a/one', 'x');
  give();
  await feed.caughtUp();
  keep();
  watch.cut();
  await isRead(2);
  let isCaughtUp = false;
  const caughtUp = feed.caughtUp().then(() => {
    isCaughtUp = true;
  });
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(isCaughtUp).toBe(false);
  give();
  await caughtUp;
});

/** What a feed reports if the store is compacted during the first snapshots. */
async function reportedAfter(compactions: number): Promise<unknown[]> {
  await using base = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
  // More than a page.
  for (let count = 0; count < 150; count += 1) await create(base, `/a/${count}`, 'x');
  let left = compactions;
  const range: ObjectStore['range'] = async (query) => {
    const page = await base.range(query);
    if (query.after === undefined && left > 0) {
      await create(base, `/b/${left}`, 'x');
      await base.compact(await base.revision());
      left -= 1;
    }
    return page;
  };
  const errors: unknown[] = [];
  const seen = new Set<string>();
  await using feed = new ObjectFeed({
    store: wrappedStore(base, { range }),
    prefix: '/a/',
    onSnapshot: () => seen.clear(),
    onSynced: () => undefined,
    onChange: ({ key }) => void seen.add(key),
    onError: (error) => errors.push(error),
    retryMillis: 1,
  });
  await feed.caughtUp();
  expect({ left, seen: seen.size }).toEqual({ left: 0, seen: 150 });
  return errors;
}

it('CP-1: a store that is compacted while a snapshot is read is read again, and that is no error', async () => {
  expect(await reportedAfter(1)).toEqual([]);
});

it('CP-1: a feed that is too slow for its store time and again reports it', async () => {
  expect(await reportedAfter(3)).toMatchObject([{ fault: 'compacted' }, { fault: 'compacted' }]);
});
