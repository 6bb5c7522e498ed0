import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OwnWrites, type StreamProgress } from './own-writes.ts';

function started() {
  const time = { now: 1_000 };
  return { time, writes: new OwnWrites({ now: () => time.now }) };
}

const at = (position: string | undefined, ...gone: string[]): StreamProgress => ({
  position,
  hasGone: (key, uid) => gone.includes(uid) && key === `shop/${uid}`,
});

test('CACHE-7: read live until the stream has passed the version that the write got', () => {
  const { writes } = started();
  expect(writes.mustReadLive('m1', at('5'))).toBe(false);
  writes.wrote('m1', { version: '100' });
  expect(writes.mustReadLive('m1', at('99'))).toBe(true);
  expect(writes.mustReadLive('m1', at(undefined))).toBe(true);
  expect(writes.mustReadLive('m1', at('100'))).toBe(false);
  expect(writes.mustReadLive('m1', at('99'))).toBe(false);
  expect(writes.size).toBe(0);
});

const deleted = (...uids: string[]) => ({ objects: uids.map((uid) => ({ key: `shop/${uid}`, uid })) });

test('CACHE-7: each feed by itself: what one stream has shown, another may not have', () => {
  const { writes } = started();
  for (const feed of ['v1', 'v1beta1']) writes.wrote(feed, { version: '100' });
  expect(writes.mustReadLive('others', at('5'))).toBe(false);
  expect(writes.mustReadLive('v1', at('100'))).toBe(false);
  expect(writes.mustReadLive('v1beta1', at('99'))).toBe(true);
});

test('CACHE-7: a delete counts as shown only where the stream has come to the version that it is of', () => {
  const { writes } = started();
  writes.wrote('m1', { deleted: { ...deleted('a'), version: '100' } });
  // It was made a moment ago, and the cache has not got it yet.
  expect(writes.mustReadLive('m1', at('99', 'a'))).toBe(true);
  expect(writes.mustReadLive('m1', at('100'))).toBe(true);
  expect(writes.mustReadLive('m1', at('101', 'a'))).toBe(false);
});

test('CACHE-7: an object that was deleted with its last finalizer is waited for until it is gone', () => {
  const { writes } = started();
  writes.wrote('m1', { deleted: { objects: [{ key: 'shop/a', uid: 'a', isGone: true }], version: '100' } });
  let isThere = true;
  const shown: StreamProgress = { position: '100', hasGone: (_, __, isGone) => !isThere || !isGone };
  expect(writes.mustReadLive('m1', shown)).toBe(true);
  isThere = false;
  expect(writes.mustReadLive('m1', shown)).toBe(false);
});

test('CACHE-7: of several writes the newest counts', () => {
  const { writes } = started();
  for (const version of ['99', '101', '100']) writes.wrote('m1', { version });
  expect(writes.mustReadLive('m1', at('100'))).toBe(true);
  expect(writes.mustReadLive('m1', at('101'))).toBe(false);
});

test('CACHE-7: a delete without a version, until the stream shows the uid gone', () => {
  const { writes } = started();
  writes.wrote('m1', { deleted: deleted('a') });
  writes.wrote('m1', { deleted: deleted('b') });
  expect(writes.mustReadLive('m1', at('900'))).toBe(true);
  expect(writes.mustReadLive('m1', at('900', 'a'))).toBe(true);
  expect(writes.mustReadLive('m1', at('900', 'b'))).toBe(false);
});

test.each([{ version: '100' }, { deleted: deleted('a') }, { unknown: true } as const])(
  'CACHE-7: 5 s at the most: %o',
  (write) => {
    const { time, writes } = started();
    writes.wrote('m1', write);
    time.now += 4_999;
    expect(writes.mustReadLive('m1', at('5'))).toBe(true);
    time.now += 1;
    expect(writes.mustReadLive('m1', at('5'))).toBe(false);
    expect(writes.size).toBe(0);
  },
);

test('what nothing is known of takes the whole time, whatever the stream shows', () => {
  const { writes } = started();
  writes.wrote('m1', { unknown: true });
  expect(writes.mustReadLive('m1', at('99999999', 'a'))).toBe(true);
});

test('versions that have no order are waited for by time', () => {
  const { time, writes } = started();
  writes.wrote('m1', { version: 'abc' });
  writes.wrote('m1', { version: 'abd' });
  expect(writes.mustReadLive('m1', at('abc'))).toBe(true);
  time.now += 5_000;
  expect(writes.mustReadLive('m1', at('zzz'))).toBe(false);
});

test('many deletes at once are not remembered one by one', () => {
  const { time, writes } = started();
  for (let i = 0; i < 5_000; i++) writes.wrote('m1', { deleted: deleted(`u${i}`) });
  const all = { position: '5', hasGone: () => true };
  expect(writes.mustReadLive('m1', all)).toBe(true);
  time.now += 5_000;
  expect(writes.mustReadLive('m1', all)).toBe(false);
});

test('what nobody reads is forgotten with later writes', () => {
  const { time, writes } = started();
  for (let i = 0; i < 100; i++) writes.wrote(`m${i}`, { version: '100' });
  time.now += 5_000;
  writes.wrote('m5', { version: '101' });
  expect(writes.size).toBe(1);
});

test('never reads from the cache what a model that remembers every write would not', () => {
  const step = fc.oneof(
    fc.record({ write: fc.nat(50) }),
    fc.record({ wait: fc.nat(3_000) }),
    fc.record({ position: fc.nat(60) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { time, writes } = started();
      const all: { version: number; at: number }[] = [];
      let position = 1;
      for (const one of steps) {
        if ('write' in one) {
          all.push({ version: one.write + 1, at: time.now });
          writes.wrote('m1', { version: String(one.write + 1) });
        } else if ('wait' in one) time.now += one.wait;
        else {
          // Streams do not go back.
          position = Math.max(position, one.position + 1);
          const must = all.some(({ version, at }) => version > position && time.now - at < 5_000);
          if (must) expect(writes.mustReadLive('m1', atVersion(position))).toBe(true);
          if (all.every(({ version }) => version <= position)) {
            expect(writes.mustReadLive('m1', atVersion(position))).toBe(false);
          }
        }
      }
    }),
  );
});

const atVersion = (position: number) => at(String(position));
