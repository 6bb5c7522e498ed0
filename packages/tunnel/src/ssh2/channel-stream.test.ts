import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Channel, Negotiated, Protocol } from 'ssh2';
import { describe, expect, test } from 'vitest';
import { UnreadBudget } from '../unread-budget.ts';
import { isSafe } from './algorithms.ts';
import { type ChannelStream, streamOf } from './channel-stream.ts';
import type { TransportGuard } from './transport-guard.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function setUp() {
  const channel = Object.assign(new EventEmitter(), {
    incoming: { id: 0, window: 2 * 1024 * 1024, packetSize: 32_768, state: 'open' },
    outgoing: { id: 0, window: 2 * 1024 * 1024, packetSize: 32_768, state: 'open' },
    stderr: {},
    granted: 0,
    push: () => true,
    resume: () => {},
    close: () => {},
    eof: () => {},
    _read() {
      channel.granted++;
    },
  });
  const violations: string[] = [];
  const guard = { bytesIn: 0, forget: () => {} } as unknown as TransportGuard;
  const budget = new UnreadBudget(64 * 1024 * 1024, 10);
  const context = { guard, budget, violated: (what: string) => violations.push(what) };
  const stream = streamOf(channel as unknown as Channel, context) as ChannelStream;
  const receive = channel.push as unknown as (piece: Buffer | null) => boolean;
  return { channel, stream, violations, budget, receive };
}

describe('unread data', () => {
  test('takes no more memory than its bytes, however small the packets are', async () => {
    const { stream, receive, budget } = setUp();
    collect();
    const before = process.memoryUsage();
    const count = 300_000;
    for (let at = 0; at < count; at++) receive(Buffer.alloc(1, at));
    collect();
    const after = process.memoryUsage();
    expect(budget.total).toBe(count);
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(4 * 1024 * 1024);
    let read = 0;
    stream.on('data', (piece: Buffer) => {
      for (const byte of piece) if (byte !== read++ % 256) throw new Error(`byte ${read} is wrong`);
    });
    receive(null);
    await new Promise((resolve) => stream.once('end', resolve));
    expect(read).toBe(count);
    expect(budget.total).toBe(0);
  });

  test('grants no window from 1 MiB on', () => {
    const { channel, stream, receive } = setUp();
    const piece = Buffer.alloc(32 * 1024);
    for (let sent = 0; sent < 1024 * 1024 + 10 * piece.length; sent += piece.length) receive(piece);
    expect(channel.granted).toBe(0);
    stream.read();
    stream.read();
    expect(channel.granted).toBe(0);
    while (stream.read() !== null);
    expect(channel.granted).toBeGreaterThan(0);
  });
});

test('data after the end violates the protocol', () => {
  const { receive, violations } = setUp();
  receive(null);
  receive(Buffer.from('x'));
  expect(violations).toEqual(['data after the end']);
});

test('AGENT-2: strict key exchange is required where a cipher has a MAC of its own', () => {
  const negotiated = (cipher: string) => ({ cs: { cipher }, sc: { cipher } }) as Negotiated;
  const [strict, lax] = [true, false].map((_strictMode) => ({ _strictMode }) as Protocol);
  expect(isSafe(strict!, negotiated('aes256-ctr'))).toBe(true);
  expect(isSafe(lax!, negotiated('aes256-ctr'))).toBe(false);
  expect(isSafe(lax!, negotiated('aes256-gcm@openssh.com'))).toBe(true);
});

test('ssh2 is installed without its native part, which works only with the Node that built it', () => {
  const { bindingAvailable } = createRequire(import.meta.url)('ssh2/lib/protocol/crypto.js') as {
    bindingAvailable: boolean;
  };
  expect(bindingAvailable).toBe(false);
});
