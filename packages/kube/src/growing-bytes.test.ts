import { describe, expect, it } from 'vitest';
import { GrowingBytes, TooLargeError } from './growing-bytes.ts';

describe('SEC-2: bytes that come in pieces', () => {
  it('are complete, and the next start empty', () => {
    const bytes = new GrowingBytes();
    for (const piece of ['a', '', 'bc', 'def']) bytes.append(Buffer.from(piece));
    expect([bytes.length, String(bytes.view())]).toEqual([6, 'abcdef']);
    const taken = bytes.take();
    bytes.append(Buffer.from('xyz'));
    expect([String(taken), String(bytes.take())]).toEqual(['abcdef', 'xyz']);
  });

  it('are refused above their limit, however they are split', () => {
    const bytes = new GrowingBytes(4);
    bytes.append(Buffer.from('abcd'));
    expect(() => bytes.append(Buffer.from('e'))).toThrow(TooLargeError);
    expect(() => new GrowingBytes(4).append(Buffer.from('abcde'))).toThrow(TooLargeError);
  });

  it('take at most twice their length in memory, byte by byte', () => {
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
