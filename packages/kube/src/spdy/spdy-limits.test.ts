import { duplexPair } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { dataFrame, initialWindowSetting, types } from './frames.ts';
import { numbers } from './header-block.ts';
import { SpdyConnection } from './spdy-connection.ts';
import type { SpdyStream } from './spdy-stream.ts';
import { SpdyClient } from './testing/spdy-client.ts';

function connected() {
  const [near, far] = duplexPair();
  const streams: SpdyStream[] = [];
  const connection = new SpdyConnection(near, (stream) => {
    streams.push(stream);
    stream.reply();
  });
  return { connection, streams, client: new SpdyClient(far), near, far };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('SEC-2: what a client of SPDY makes a server keep or do', () => {
  it('more streams in one chunk than a turn takes: all are opened, and what comes behind is read', async () => {
    const { client, streams, far } = connected();
    const all: Buffer[] = [];
    for (let id = 1; id <= 401; id += 2) all.push(await client.synStream(id, { port: '80' }));
    far.write(Buffer.concat(all));
    await vi.waitFor(() => expect(streams).toHaveLength(201));
    far.write(dataFrame(401, Buffer.from('hello'), false));
    await vi.waitFor(() => expect(String(streams.at(-1)!.read())).toBe('hello'));
  });

  it('a byte that nobody reads does not keep the chunk that it came in', async () => {
    const { client, streams, far } = connected();
    const [unread, read] = [await client.open({ a: '1' }), await client.open({ a: '2' })];
    await read.replied.promise;
    streams[1]!.resume();
    far.write(
      Buffer.concat([dataFrame(unread.id, Buffer.from('x'), false), dataFrame(3, Buffer.alloc(60_000), false)]),
    );
    const piece: Buffer = await vi.waitFor(() => streams[0]!.read() ?? expect.fail('nothing came'));
    expect([piece.toString(), piece.buffer.byteLength]).toEqual(['x', 1]);
  });

  it('pieces of one byte count for what they take, and go on when they are read', async () => {
    const { client, streams, far } = connected();
    const { id } = await client.open({ a: '1' });
    await vi.waitFor(() => expect(streams).toHaveLength(1));
    const sent = 20_000;
    far.write(Buffer.concat(Array.from({ length: sent }, () => dataFrame(id, Buffer.from('x'), false))));
    for (let turn = 0; turn < 100; turn += 1) await settled();
    expect(streams[0]!.readableLength).toBeLessThan(2_000);
    let read = 0;
    streams[0]!.on('data', (piece: Buffer) => {
      read += piece.length;
    });
    await vi.waitFor(() => expect(read).toBe(sent));
  });

  it('what comes behind the end of a stream is dropped; what was not read before it still counts', async () => {
    const { client, streams, near, far } = connected();
    const { id } = await client.open({ a: '1' });
    await vi.waitFor(() => expect(streams).toHaveLength(1));
    far.write(Buffer.concat([dataFrame(id, Buffer.alloc(300_000), true), dataFrame(id, Buffer.from('x'), false)]));
    await vi.waitFor(() => expect(streams[0]!.readableLength).toBe(300_000));
    expect(near.isPaused()).toBe(true);
    streams[0]!.resume();
    await vi.waitFor(() => expect(near.isPaused()).toBe(false));
  });

  it.each([
    ['many headers', Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`h${index}`, '']))],
    ['long headers', { a: 'x'.repeat(9_000) }],
  ])('a stream with %s ends the connection', async (_, headers) => {
    const { client, far } = connected();
    far.write(await client.synStream(1, headers));
    expect(await client.goneAway.promise).toBe(1);
  });

  it('settings wake streams only where the window has grown', async () => {
    const { client, streams } = connected();
    const stream = await client.open({ a: '1' });
    await stream.replied.promise;
    const woken = vi.spyOn(streams[0]!, 'onWindow');
    const set = async (window: number) => {
      client.control(types.settings, numbers(1, initialWindowSetting, window));
      client.control(types.ping, numbers(1));
      const { length } = client.heard;
      await vi.waitFor(() => expect(client.heard.length).toBeGreaterThan(length));
    };
    for (const window of [5, 5, 0, 5]) await set(window);
    expect(woken).toHaveBeenCalledTimes(1);
    streams[0]!.write('hello world');
    await vi.waitFor(() => expect(String(stream.received)).toBe('hello'));
    await set(11);
    await vi.waitFor(() => expect(String(stream.received)).toBe('hello world'));
  });

  it('pings that fill a chunk are all answered', async () => {
    const { client, far } = connected();
    far.write(Buffer.concat(Array.from({ length: 5_000 }, () => Buffer.concat([numbers(0x80030006, 4), numbers(1)]))));
    await vi.waitFor(() => expect(client.heard).toHaveLength(5_000));
  });
});
