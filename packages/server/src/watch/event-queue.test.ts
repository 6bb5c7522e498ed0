import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Sink } from '../http/message.ts';
import { EventQueue } from './event-queue.ts';

/** A connection that accepts as much as the test allows. */
class FakeSink implements Sink {
  readonly written: Buffer[] = [];
  unsent = 0;
  isSlow = false;
  private listener: (() => void) | undefined;

  write(chunk: Buffer): boolean {
    this.written.push(chunk);
    if (this.isSlow) this.unsent += chunk.length;
    return !this.isSlow;
  }

  drain(): void {
    this.unsent = 0;
    this.isSlow = false;
    this.listener?.();
  }

  onDrain(listener: () => void): Disposable {
    this.listener = listener;
    return {
      [Symbol.dispose]: () => {
        this.listener = undefined;
      },
    };
  }

  get isReleased(): boolean {
    return this.listener === undefined;
  }
}

function pushed(limit = 1_000) {
  const sink = new FakeSink();
  let returned = 0;
  const queue = new EventQueue(limit, () => returned++);
  return { sink, queue, done: queue.pushInto(sink), returned: () => returned };
}

const written = ({ written }: FakeSink) => written.map(String);

describe('the pending events of a watcher, pushed into its answer', () => {
  test('WATCH-2: what comes together leaves in one write, in order', async () => {
    const { queue, sink } = pushed();
    for (const line of ['a\n', 'b\n', 'bookmark\n']) queue.push(Buffer.from(line));
    await expect.poll(() => written(sink)).toEqual(['a\nb\nbookmark\n']);
    queue.push(Buffer.from('c\n'));
    await expect.poll(() => written(sink)).toEqual(['a\nb\nbookmark\n', 'c\n']);
  });

  test('nothing is not written: an empty chunk ends an answer of HTTP/1.1', async () => {
    const { queue, sink, done } = pushed();
    queue.push(Buffer.alloc(0));
    queue.end();
    await done;
    expect(written(sink)).toEqual([]);
  });

  test('WATCH-1: watchers with the same pending events get the same bytes', async () => {
    const all = Array.from({ length: 3 }, () => pushed());
    const [a, b] = [Buffer.from('a\n'), Buffer.from('b\n')];
    for (const { queue } of all) queue.push(a);
    for (const { queue } of all) queue.push(b);
    await expect.poll(() => all.map(({ sink }) => written(sink))).toEqual(Array(3).fill(['a\nb\n']));
    for (const { sink } of all) expect(sink.written[0]).toBe(all[0]!.sink.written[0]);
  });

  test('WATCH-7: those who have much to send are let in one by one, however many they are', async () => {
    const { queue, sink } = pushed(1_000_000);
    const batch = Buffer.alloc(200_000);
    let most = 0;
    let waiting = 0;
    const write = sink.write.bind(sink);
    sink.write = (bytes) => {
      waiting -= bytes.length;
      return write(bytes);
    };
    const all = Array.from({ length: 100 }, () =>
      queue.inTurn(() => {
        expect(queue.push(batch)).toBe(true);
        waiting += batch.length;
        most = Math.max(most, waiting);
      }),
    );
    await Promise.all(all);
    expect(most).toBeLessThan(2 * batch.length);
  });

  test('WATCH-7: what the connection has not taken yet counts against the limit', async () => {
    const { queue, sink } = pushed(1_000);
    sink.isSlow = true;
    expect(queue.push(Buffer.alloc(900))).toBe(true);
    await expect.poll(() => sink.unsent).toBe(900);
    expect(queue.push(Buffer.alloc(7_200))).toBe(true);
    expect(queue.push(Buffer.alloc(1))).toBe(false);
    sink.drain();
    expect(sink.written.map(({ length }) => length)).toEqual([900, 7_200]);
    expect(queue.push(Buffer.alloc(1))).toBe(true);
  });

  test('WATCH-7: more than the limit is too much only if it stays', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const { queue, sink } = pushed(1_000);
    sink.isSlow = true;
    queue.push(Buffer.alloc(1_100));
    await expect.poll(() => sink.unsent).toBe(1_100);
    expect(queue.push(Buffer.alloc(1))).toBe(true);
    clock.mockReturnValue(1_500);
    expect(queue.push(Buffer.alloc(1))).toBe(true);
    sink.drain();
    sink.isSlow = true;
    queue.push(Buffer.alloc(1_100));
    await expect.poll(() => sink.unsent).toBe(1_100);
    clock.mockReturnValue(3_000);
    expect(queue.push(Buffer.alloc(1))).toBe(true);
    clock.mockReturnValue(5_001);
    expect(queue.push(Buffer.alloc(1))).toBe(false);
  });

  test('nothing is written to a connection that has enough, until it has drained', async () => {
    const { queue, sink } = pushed();
    sink.isSlow = true;
    queue.push(Buffer.from('a\n'));
    await expect.poll(() => sink.written.length).toBe(1);
    queue.push(Buffer.from('b\n'));
    await turn();
    await turn();
    expect(sink.written.length).toBe(1);
    sink.drain();
    expect(written(sink)).toEqual(['a\n', 'b\n']);
  });

  test('the end comes behind what was waiting, and releases the connection', async () => {
    const { queue, sink, done, returned } = pushed();
    queue.push(Buffer.from('last\n'));
    queue.end();
    await done;
    expect(written(sink)).toEqual(['last\n']);
    expect(sink.isReleased).toBe(true);
    expect(returned()).toBeGreaterThan(0);
  });

  test('one whose reader leaves before it has read anything is over', async () => {
    let returned = 0;
    const queue = new EventQueue(1_000, () => returned++);
    queue.push(Buffer.from('a\n'));
    const chunks = queue[Symbol.asyncIterator]();
    await chunks.return?.();
    expect(returned).toBeGreaterThan(0);
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
  });

  test('WATCH-7: one that is dropped ends though its connection takes nothing', async () => {
    const { queue, sink, done } = pushed();
    sink.isSlow = true;
    queue.push(Buffer.from('a\n'));
    await expect.poll(() => sink.written.length).toBe(1);
    queue.push(Buffer.from('b\n'));
    queue.drop();
    await done;
    expect(written(sink)).toEqual(['a\n']);
  });
});
