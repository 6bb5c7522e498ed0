import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerMemory, MemoryTakenError, small } from './answer-memory.ts';
import { GrowingBytes, TooLargeError } from './growing-bytes.ts';

const mib = 1024 * 1024;
const limit = 16 * mib;
const piece = Buffer.alloc(mib);

/** An answer that is read as far as it may be. */
class Reading {
  readonly lease;
  readonly bytes;
  error: unknown;

  constructor(memory: AnswerMemory, size: number, objectLimit = limit) {
    this.lease = memory.lease(objectLimit);
    this.bytes = new GrowingBytes(objectLimit, this.lease);
    this.read(size).catch((error: unknown) => {
      this.error = error;
    });
  }

  private async read(size: number): Promise<void> {
    while (this.bytes.length < size) {
      this.bytes.append(piece);
      await this.lease.admitted();
    }
  }
}

const read = (memory: AnswerMemory, size: number) => new Reading(memory, size);
const lengths = (readings: Reading[]) => readings.map(({ bytes }) => bytes.length);
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('SEC-2: many answers of one server at once', () => {
  it('hold at most four large ones; the others wait with their bytes so far, and continue one after the other', async () => {
    const memory = new AnswerMemory(limit);
    const readings = Array.from({ length: 50 }, () => read(memory, limit));
    await settled();
    expect(readings.filter(({ bytes }) => bytes.length === limit)).toHaveLength(4);
    expect(new Set(lengths(readings))).toEqual(new Set([limit, small + mib]));
    const [other] = [read(new AnswerMemory(limit), limit)];
    await settled();
    expect(other.bytes.length).toBe(limit);
    for (const { bytes } of readings.slice(0, 4)) bytes[Symbol.dispose]();
    await settled();
    expect(readings.slice(4, 8).every(({ bytes }) => bytes.length === limit)).toBe(true);
    for (let i = 4; i < 50; i++) {
      readings[i]!.bytes[Symbol.dispose]();
      await settled();
    }
    expect(memory.free).toBe(4);
    expect(readings.some(({ error }) => error)).toBe(false);
  });

  it('wait for at most half a minute', async () => {
    const memory = new AnswerMemory(limit);
    const readings = Array.from({ length: 5 }, () => read(memory, limit));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(readings[4]!.error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(readings[4]!.error).toBeInstanceOf(MemoryTakenError);
    for (const { bytes } of readings) bytes[Symbol.dispose]();
    expect(memory.free).toBe(4);
  });

  it('do not wait if they have at most 2 MiB each', async () => {
    const memory = new AnswerMemory(limit);
    const [large, small2] = [4, 20].map((count) =>
      Array.from({ length: count }, () => read(memory, count === 4 ? limit : small)),
    );
    await settled();
    expect(lengths(large!)).toEqual([limit, limit, limit, limit]);
    expect(new Set(lengths(small2!))).toEqual(new Set([small]));
    expect(small2!.some(({ bytes }) => bytes.isLarge)).toBe(false);
  });

  it('of one user are at most two, so that a user who does not read does not block all others', async () => {
    const memory = new AnswerMemory(limit);
    const bobs = Array.from({ length: 10 }, () => read(memory.of('bob'), limit));
    await settled();
    expect(memory.free).toBe(2);
    const alices = Array.from({ length: 3 }, () => read(memory.of('alice'), limit));
    await settled();
    expect(lengths(alices)).toEqual([limit, limit, small + mib]);
    alices[0]!.bytes[Symbol.dispose]();
    await settled();
    expect(lengths(alices)).toEqual([0, limit, limit]);
    for (const { bytes } of bobs.slice(0, 2)) bytes[Symbol.dispose]();
    await settled();
    expect(lengths(bobs.slice(2, 5))).toEqual([limit, limit, small + mib]);
  });

  it('do not wait after a write', async () => {
    const memory = new AnswerMemory(limit);
    const readings = Array.from({ length: 9 }, () => read(memory.of('bob').withoutWaiting(), limit));
    await settled();
    expect(new Set(lengths(readings))).toEqual(new Set([limit]));
    expect(memory.free).toBe(4);
  });

  it('count by their limit, and are not starved', async () => {
    const memory = new AnswerMemory(limit);
    const first = read(memory, limit);
    const largest = new Reading(memory, 4 * limit, 4 * limit);
    const last = read(memory, limit);
    await settled();
    expect(lengths([largest, last])).toEqual([small + mib, small + mib]);
    first.bytes[Symbol.dispose]();
    await settled();
    expect(lengths([largest, last])).toEqual([4 * limit, small + mib]);
    largest.bytes[Symbol.dispose]();
    await settled();
    expect(last.bytes.length).toBe(limit);
  });

  it('hold the taken bytes until these are released, once', async () => {
    const memory = new AnswerMemory(limit);
    const { bytes, lease } = read(memory, limit);
    await settled();
    bytes.take();
    expect(memory.free).toBe(3);
    for (let i = 0; i < 4; i++) bytes.append(piece);
    expect(lease.admitted()).toBeUndefined();
    bytes.releaseTaken();
    expect(memory.free).toBe(3);
    bytes[Symbol.dispose]();
    bytes[Symbol.dispose]();
    expect(memory.free).toBe(4);
  });

  it('hold nothing after one was too large', async () => {
    const memory = new AnswerMemory(limit);
    const { bytes } = read(memory, limit);
    await settled();
    expect(() => bytes.append(piece)).toThrow(TooLargeError);
    expect(memory.free).toBe(4);
  });

  it('are released by the garbage collector if they are abandoned', async () => {
    vi.useRealTimers();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memory = new AnswerMemory(limit);
    const readings = [read(memory, limit)];
    await vi.waitFor(() => expect(memory.free).toBe(3));
    readings.length = 0;
    await vi.waitFor(() => {
      collect();
      expect(memory.free).toBe(4);
    });
  });
});
