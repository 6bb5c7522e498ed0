import { describe, expect, it } from 'vitest';
import { SharedEvent, type Told } from './shared-event.ts';
import { readNothing } from './testing/read-nothing.ts';
import { Watcher } from './watcher.ts';

const event = (revision: number) => new SharedEvent({ key: '/a', revision, value: Buffer.from('x') }, readNothing);

const opened = () => new Watcher(0, { selects: () => true, bookmarks: true });

class Followed {
  readonly told: number[] = [];
  ends: unknown[] = [];
  room = Number.POSITIVE_INFINITY;

  tell({ revision }: Told): boolean {
    if (revision === 13) throw new Error('cannot be told');
    this.told.push(revision);
    this.room -= 1;
    return this.room > 0;
  }

  end(error: unknown): void {
    this.ends.push(error);
  }
}

describe('a watch that is followed', () => {
  it('tells at once, what waited first', () => {
    const watcher = opened();
    const follower = new Followed();
    watcher.offer([event(2), event(3)]);
    watcher.follow(follower);
    watcher.offer([event(4)]);
    watcher.mark(9);
    expect(follower.told).toEqual([2, 3, 4, 9]);
    expect(watcher.waiting).toBe(0);
    watcher.end();
    expect(follower.ends).toEqual([undefined]);
    watcher.offer([event(10)]);
    expect(follower.told).toHaveLength(4);
  });

  it('keeps what its follower has no room for, and whoever offers is told of it', async () => {
    const watcher = opened();
    const follower = new Followed();
    follower.room = 2;
    watcher.follow(follower);
    watcher.offer([event(2), event(3), event(4), event(5)]);
    expect([follower.told, watcher.waiting]).toEqual([[2, 3], 2]);
    let isDrained = false;
    const drained = watcher.drained().then(() => {
      isDrained = true;
    });
    follower.room = 1;
    watcher.resume();
    expect([follower.told, watcher.waiting]).toEqual([[2, 3, 4], 1]);
    await Promise.resolve();
    expect(isDrained).toBe(false);
    follower.room = 9;
    watcher.resume();
    await drained;
    expect(follower.told).toEqual([2, 3, 4, 5]);
  });

  it('ends behind what waits, but at once with an error', () => {
    for (const [error, told] of [
      [undefined, [2, 3]],
      [new Error('broken'), [2]],
    ] as const) {
      const watcher = opened();
      const follower = new Followed();
      follower.room = 1;
      watcher.follow(follower);
      watcher.offer([event(2), event(3)]);
      watcher.end(error);
      expect(follower.ends).toEqual(error ? [error] : []);
      follower.room = 9;
      watcher.resume();
      watcher.resume();
      expect([follower.told, follower.ends]).toEqual([told, [error]]);
    }
  });

  it('that cannot be told something ends with why', () => {
    const watcher = opened();
    const follower = new Followed();
    watcher.follow(follower);
    watcher.offer([event(12), event(13), event(14)]);
    expect(follower.told).toEqual([12]);
    expect(follower.ends).toEqual([new Error('cannot be told')]);
    expect(watcher.ended).toBe(true);
  });
});
