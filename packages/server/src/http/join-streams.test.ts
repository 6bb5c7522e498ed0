import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { joinStreams } from './write-reply.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** A connection whose ends may be closed one by one, as HTTP servers have them. */
async function connection(): Promise<{ near: Socket; far: Socket } & Disposable> {
  const server = createServer({ allowHalfOpen: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('not listening');
  const far = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true });
  const [near] = (await once(server, 'connection')) as [Socket];
  const dispose = () => {
    for (const end of [near, far]) end.destroy();
    server.close();
  };
  return { near, far, [Symbol.dispose]: dispose };
}

const upgraded = (stream: Duplex) =>
  ({
    is: 'upgraded',
    status: 101,
    statusText: 'Switching Protocols',
    headers: {},
    head: Buffer.alloc(0),
    stream,
  }) as const;

test.each(['the member', 'the client'])(
  'SEC-2: when %s ends its half, the other has 30 seconds to end',
  async (who) => {
    using client = await connection();
    using member = await connection();
    client.far.resume();
    member.far.resume();
    const joined = joinStreams(client.near, upgraded(member.near), Buffer.alloc(0), { sent: 0 });
    const [first, other] = who === 'the member' ? [member.far, client.far] : [client.far, member.far];
    first.end();
    await once(other, 'end');
    other.write('still sent');
    await vi.waitFor(() => expect(first.bytesRead).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(29_000);
    expect([client.near.destroyed, member.near.destroyed]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([client.near.destroyed, member.near.destroyed]).toEqual([true, true]);
    await joined;
    expect(vi.getTimerCount()).toBe(0);
  },
);
