import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { giveBack, joinPieces, shortened } from './chunk-memory.ts';

const kib = (n: number, fill: string) => Buffer.alloc(n * 1024, fill);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

describe('the memory of chunks', () => {
  it('joins pieces of any size', () => {
    for (const n of [1, 40, 100, 200, 600, 2000]) {
      const [a, b] = [kib(n, 'a'), kib(1, 'b')];
      expect(joinPieces([a, b]).equals(Buffer.concat([a, b]))).toBe(true);
    }
  });

  it('is reused after it was returned, and not before', () => {
    const first = joinPieces([kib(200, 'a')]);
    expect(joinPieces([kib(200, 'b')]).buffer).not.toBe(first.buffer);
    giveBack(first);
    const again = joinPieces([kib(150, 'c')]);
    expect(again.buffer).toBe(first.buffer);
    expect(again.equals(kib(150, 'c'))).toBe(true);
  });

  it('is returned only once, by the chunk itself and not by a slice of it', () => {
    const chunk = joinPieces([kib(100, 'a')]);
    giveBack(chunk.subarray(0, 10));
    expect(joinPieces([kib(100, 'b')]).buffer).not.toBe(chunk.buffer);
    giveBack(chunk);
    giveBack(chunk);
    const [one, other] = [joinPieces([kib(100, 'c')]), joinPieces([kib(100, 'd')])];
    expect(one.buffer).toBe(chunk.buffer);
    expect(other.buffer).not.toBe(chunk.buffer);
    giveBack(kib(100, 'e'));
  });

  it('is returned by the beginning that replaces it, and no longer by the whole', () => {
    const chunk = joinPieces([kib(100, 'a')]);
    const part = shortened(chunk, 10);
    expect(part.toString()).toBe('a'.repeat(10));
    giveBack(chunk);
    expect(joinPieces([kib(100, 'b')]).buffer).not.toBe(chunk.buffer);
    giveBack(part);
    expect(joinPieces([kib(100, 'c')]).buffer).toBe(chunk.buffer);
  });

  it('is freed when it was not used for a while', () => {
    const chunk = joinPieces([kib(600, 'a')]);
    giveBack(chunk);
    vi.advanceTimersByTime(60_000);
    expect(joinPieces([kib(600, 'b')]).buffer).not.toBe(chunk.buffer);
  });
});
