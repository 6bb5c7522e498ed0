import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { AnswerMemory, uncounted } from './answer-memory.ts';
import { GrowingBytes, MemoryTakenError, TooLargeError } from './growing-bytes.ts';

describe('SEC-2: bytes that come in pieces', () => {
  it('are whole, and the next begin anew', () => {
    const bytes = new GrowingBytes();
    for (const piece of ['a', '', 'bc', 'def']) bytes.append(Buffer.from(piece));
    expect([bytes.length, String(bytes.view())]).toEqual([6, 'abcdef']);
    const taken = bytes.take();
    bytes.append(Buffer.from('xyz'));
    expect([String(taken), String(bytes.take())]).toEqual(['abcdef', 'xyz']);
  });

  it('are refused above their limit, however they come', () => {
    const bytes = new GrowingBytes(4);
    bytes.append(Buffer.from('abcd'));
    expect(() => bytes.append(Buffer.from('e'))).toThrow(TooLargeError);
    expect(() => new GrowingBytes(4).append(Buffer.from('abcde'))).toThrow(TooLargeError);
  });

  it('take no more memory than twice their length, one by one', () => {
    const bytes = new GrowingBytes();
    const piece = Buffer.from('x');
    const before = process.memoryUsage();
    for (let i = 0; i < 2_000_000; i++) bytes.append(piece);
    const after = process.memoryUsage();
    const taken = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    expect(bytes.length).toBe(2_000_000);
    expect(taken).toBeLessThan(32_000_000);
  });
});

describe('SEC-2: many answers of one server at once', () => {
  const mib = 1024 * 1024;
  const limit = 16 * mib;
  const piece = Buffer.alloc(mib);
  /** How much of it came. */
  const fill = (bytes: GrowingBytes, size: number): number => {
    try {
      while (bytes.length < size) bytes.append(piece);
    } catch (error) {
      expect(error).toBeInstanceOf(MemoryTakenError);
    }
    return bytes.length;
  };

  it('take no more than four of the largest objects together, and others go on', () => {
    const memory = new AnswerMemory(limit);
    const answers = Array.from({ length: 50 }, () => new GrowingBytes(limit, memory));
    const held = answers.map((answer) => fill(answer, limit));
    expect(held.filter((size) => size === limit)).toHaveLength(4);
    expect(held.reduce((sum, size) => sum + size)).toBe(4 * limit);
    const other = new AnswerMemory(limit);
    expect(fill(new GrowingBytes(limit, other), limit)).toBe(limit);
    for (const answer of answers) answer[Symbol.dispose]();
    expect(memory.left).toBe(4 * limit);
    expect(fill(new GrowingBytes(limit, memory), limit)).toBe(limit);
  });

  it('are not counted up to 2 MiB each', () => {
    const memory = new AnswerMemory(limit, 0);
    const answers = Array.from({ length: 20 }, () => new GrowingBytes(limit, memory));
    expect(answers.map((answer) => fill(answer, uncounted))).toEqual(answers.map(() => uncounted));
    expect(answers.some(({ isLarge }) => isLarge)).toBe(false);
  });

  it('count what was taken until it is released, once', () => {
    const memory = new AnswerMemory(limit);
    const bytes = new GrowingBytes(limit, memory);
    fill(bytes, limit);
    bytes.take();
    expect(memory.left).toBe(3 * limit + uncounted);
    fill(bytes, 4 * mib);
    expect(memory.left).toBe(3 * limit);
    bytes.releaseTaken();
    bytes.releaseTaken();
    expect(memory.left).toBe(4 * limit - 2 * mib);
    bytes[Symbol.dispose]();
    bytes[Symbol.dispose]();
    expect(memory.left).toBe(4 * limit);
  });

  it('do not count any more once one is too large', () => {
    const memory = new AnswerMemory(limit);
    const bytes = new GrowingBytes(limit, memory);
    fill(bytes, limit);
    expect(() => bytes.append(piece)).toThrow(TooLargeError);
    expect(memory.left).toBe(4 * limit);
  });

  it('are released by the collector where nobody ends them', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memory = new AnswerMemory(limit);
    fill(new GrowingBytes(limit, memory), limit);
    await vi.waitFor(() => {
      collect();
      expect(memory.left).toBe(4 * limit);
    });
  });
});
