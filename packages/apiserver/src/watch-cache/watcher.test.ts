import { describe, expect, it } from 'vitest';
import { SharedEvent, type WatchEvent } from './shared-event.ts';
import { readNothing } from './testing/read-nothing.ts';
import { Watcher } from './watcher.ts';

const event = (revision: number) => new SharedEvent({ key: '/a', revision, value: Buffer.from('x') }, readNothing);

const opened = () => new Watcher(0, { selects: () => true, bookmarks: true });

class Followed {
  readonly received: number[] = [];
  ends: unknown[] = [];
  capacity = Number.POSITIVE_INFINITY;

  send({ revision }: WatchEvent): boolean {
    if (revision === 13) throw new Error('cannot be sent');
    this.received.push(revision);
    this.capacity -= 1;
    return this.capacity > 0;
  }

  end(error: unknown): void {
    this.ends.push(error);
  }
}

describe('a watch that is followed', () => {
  it('delivers at once, queued events first', () => {
    const watcher = opened();
    const follower = new Followed();
    watcher.offer([event(2), event(3)]);
    watcher.follow(follower);
    watcher.offer([event(4)]);
    watcher.mark(9);
    expect(follower.received).toEqual([2, 3, 4, 9]);
    expect(watcher.waiting).toBe(0);
    watcher.end();
    expect(follower.ends).toEqual([undefined]);
    watcher.offer([event(10)]);
    expect(follower.received).toHaveLength(4);
  });

  it('queues what its follower cannot take, and reports that to whoever offers', async () => {
    const watcher = opened();
    const follower = new Followed();
    follower.capacity = 2;
    watcher.follow(follower);
    watcher.offer([event(2), event(3), event(4), event(5)]);
    expect([follower.received, watcher.waiting]).toEqual([[2, 3], 2]);
    let isDrained = false;
    const drained = watcher.drained().then(() => {
      isDrained = true;
    });
    follower.capacity = 1;
    watcher.resume();
    expect([follower.received, watcher.waiting]).toEqual([[2, 3, 4], 1]);
    await Promise.resolve();
    expect(isDrained).toBe(false);
    follower.capacity = 9;
    watcher.resume();
    await drained;
    expect(follower.received).toEqual([2, 3, 4, 5]);
  });

  it('ends behind what waits, but at once with an error', () => {
    for (const [error, received] of [
      [undefined, [2, 3]],
      [new Error('broken'), [2]],
    ] as const) {
      const watcher = opened();
      const follower = new Followed();
      follower.capacity = 1;
      watcher.follow(follower);
      watcher.offer([event(2), event(3)]);
      watcher.end(error);
      expect(follower.ends).toEqual(error ? [error] : []);
      follower.capacity = 9;
      watcher.resume();
      watcher.resume();
      expect([follower.received, follower.ends]).toEqual([received, [error]]);
    }
  });

  it('ends with the error of an event that cannot be sent', () => {
    const watcher = opened();
    const follower = new Followed();
    watcher.follow(follower);
    watcher.offer([event(12), event(13), event(14)]);
    expect(follower.received).toEqual([12]);
    expect(follower.ends).toEqual([new Error('cannot be sent')]);
    expect(watcher.ended).toBe(true);
  });
});
