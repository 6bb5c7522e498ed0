import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dataFrame, initialWindowSetting, types } from './frames.ts';
import { HeaderWriter, numbers, type SpdyHeaders } from './header-block.ts';
import { SpdyConnection } from './spdy-connection.ts';
import type { SpdyStream } from './spdy-stream.ts';
import { ClientStream, SpdyClient } from './testing/spdy-client.ts';

function connected(onStream: (stream: SpdyStream) => void = (stream) => stream.reply()) {
  const [near, far] = duplexPair();
  const streams: SpdyStream[] = [];
  const opened: SpdyHeaders[] = [];
  const connection = new SpdyConnection(near, (stream, headers) => {
    streams.push(stream);
    opened.push(headers);
    onStream(stream);
  });
  return { connection, streams, opened, client: new SpdyClient(far), near, far };
}

/** Reading a Duplex to its end by itself destroys it. */
const text = async (stream: SpdyStream): Promise<string> =>
  Buffer.concat(await Array.fromAsync(stream.iterator({ destroyOnReturn: false }))).toString();

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a SPDY connection', () => {
  it('has streams with headers, which are accepted, and bytes in both directions', async () => {
    const { client, streams, opened } = connected();
    const first = await client.open({ streamType: 'error', port: '80' });
    const second = await client.open({ streamType: 'data', port: '80', requestID: '0' });
    await Promise.all([first.replied.promise, second.replied.promise]);
    expect(opened.map((headers) => Object.fromEntries(headers))).toEqual([
      { streamtype: 'error', port: '80' },
      { streamtype: 'data', port: '80', requestid: '0' },
    ]);
    second.write('hello');
    second.end();
    expect(await text(streams[1]!)).toBe('hello');
    streams[1]!.end('world');
    expect(await second.text()).toBe('world');
    expect(await second.over.promise).toBe('ended');
  });

  it('half-close: the client that has ended a stream still gets what is written to it, and the reverse', async () => {
    const { client, streams } = connected();
    const ended = await client.open({ a: 'b' }, { isLast: true });
    const open = await client.open({ a: 'c' });
    await open.replied.promise;
    expect(await text(streams[0]!)).toBe('');
    streams[0]!.end('late');
    expect(await ended.text()).toBe('late');
    streams[1]!.end('early');
    expect(await open.text()).toBe('early');
    open.write('later');
    open.end();
    expect(await text(streams[1]!)).toBe('later');
  });

  it('a stream that the server does not want is reset', async () => {
    const { client } = connected((stream) => stream.destroy());
    const stream = await client.open({ a: 'b' });
    expect(await stream.over.promise).toBe('reset');
  });

  it('a stream that the client resets ends, and cannot be written to', async () => {
    const { client, streams } = connected();
    const stream = await client.open({ a: 'b' });
    await stream.replied.promise;
    stream.write('x');
    client.control(types.rstStream, numbers(stream.id, 5));
    expect(await text(streams[0]!)).toBe('x');
    const failed = new Promise((resolve) => streams[0]!.write('y', resolve));
    expect(await failed).toMatchObject({ message: 'the client has reset the stream' });
  });

  it('pings are answered; those with even numbers are not', async () => {
    const { client } = connected();
    for (const id of [1, 2, 3]) client.control(types.ping, numbers(id));
    await vi.waitFor(() => expect(client.heard).toEqual(['ping 1', 'ping 3']));
  });

  it('a GOAWAY of the client ends it, and a closed connection, too', async () => {
    for (const leave of ['go away', 'end', 'destroy']) {
      const { client, connection, streams, near, far } = connected();
      await (await client.open({ a: 'b' })).replied.promise;
      const closed = once(near, 'close');
      if (leave === 'go away') {
        client.control(types.goAway, numbers(0, 0));
        far.end();
      } else if (leave === 'end') far.end();
      else far.destroy();
      await vi.waitFor(() => expect(connection.over.aborted).toBe(true));
      expect(streams[0]!.destroyed).toBe(true);
      if (leave !== 'destroy') await closed;
    }
  });

  it('what was written before it is closed is delivered', async () => {
    const { client, connection, streams } = connected();
    const stream = await client.open({ a: 'b' });
    await stream.replied.promise;
    const large = 'x'.repeat(500_000);
    streams[0]!.end(large);
    await once(streams[0]!, 'finish');
    connection.close();
    expect(await stream.text()).toBe(large);
    expect(await client.goneAway.promise).toBe(0);
  });
});

describe('flow control', () => {
  it('a client that knows no windows, as Go’s, gets all there is', async () => {
    const { client, streams } = connected();
    const stream = await client.open({ a: 'b' });
    await stream.replied.promise;
    streams[0]!.end(Buffer.alloc(300_000));
    await stream.over.promise;
    expect(stream.received).toHaveLength(300_000);
  });

  it('a client that has spoken of windows gets no more than it grants, for a stream and for all', async () => {
    const { client, streams } = connected();
    client.control(types.settings, numbers(1, initialWindowSetting, 1_000));
    const stream = await client.open({ a: 'b' });
    await stream.replied.promise;
    streams[0]!.write(Buffer.alloc(100_000));
    await vi.waitFor(() => expect(stream.received).toHaveLength(1_000));
    client.control(types.windowUpdate, numbers(stream.id, 500));
    await vi.waitFor(() => expect(stream.received).toHaveLength(1_500));
    client.control(types.windowUpdate, numbers(stream.id, 1_000_000));
    await vi.waitFor(() => expect(stream.received).toHaveLength(65_536));
    client.control(types.windowUpdate, numbers(0, 1_000_000));
    await vi.waitFor(() => expect(stream.received).toHaveLength(100_000));
  });

  it('the client is granted what has been read', async () => {
    const { client, streams } = connected();
    const stream = await client.open({ a: 'b' });
    await stream.replied.promise;
    stream.write(Buffer.alloc(60_000));
    await settled();
    expect(client.heard).toEqual([]);
    streams[0]!.resume();
    await vi.waitFor(() => expect(client.heard).toEqual(['window 0 60000', `window ${stream.id} 60000`]));
  });

  it('SEC-2: a stream that nobody reads is left in the connection, and goes on when it is read', async () => {
    const { client, streams, near, far } = connected();
    const stream = await client.open({ a: 'b' });
    await stream.replied.promise;
    let sent = 0;
    while (sent < 4_000_000 && far.writableLength < 100_000) {
      stream.write(Buffer.alloc(10_000));
      sent += 10_000;
      await settled();
    }
    expect(sent).toBeLessThan(1_000_000);
    expect(streams[0]!.readableLength).toBeLessThan(400_000);
    expect(near.isPaused()).toBe(true);
    stream.end();
    let read = 0;
    for await (const piece of streams[0]!) read += piece.length;
    expect(read).toBe(sent);
  });

  it('a client that is not read is pinged: whether it is still there cannot be seen otherwise', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, streams } = connected();
    const stream = await client.open({ a: 'b' });
    await stream.replied.promise;
    for (let left = 10; left > 0; left -= 1) stream.write(Buffer.alloc(30_000));
    await settled();
    expect(vi.getTimerCount()).toBe(1);
    for (let left = 2; left > 0; left -= 1) {
      vi.advanceTimersByTime(10_000);
      await settled();
    }
    expect(client.heard.filter((one) => one.startsWith('ping'))).toEqual(['ping 2', 'ping 2']);
    streams[0]!.resume();
    await settled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('SEC-2: a client that reads nothing and pings gets no memory', async () => {
    const [near, far] = duplexPair();
    new SpdyConnection(near, () => {});
    const pings = Buffer.concat(
      Array.from({ length: 1_000 }, () => Buffer.concat([numbers(0x80030006, 4), numbers(1)])),
    );
    let written = 0;
    for (; written < 1_000 && far.writableLength < 100_000; written += 1) {
      far.write(pings);
      await settled();
    }
    expect(written).toBeLessThan(100);
    expect(near.writableLength).toBeLessThan(200_000);
  });

  it('SEC-2: a reader that takes nothing holds its writer, not the others', async () => {
    const { client, streams } = connected();
    client.control(types.settings, numbers(1, initialWindowSetting, 10));
    const [held, free] = [await client.open({ a: '1' }), await client.open({ a: '2' })];
    await Promise.all([held.replied.promise, free.replied.promise]);
    let isTaken = false;
    streams[0]!.write(Buffer.alloc(1_000), () => {
      isTaken = true;
    });
    streams[1]!.end('here');
    expect(await free.text()).toBe('here');
    expect(isTaken).toBe(false);
  });
});

describe('SEC-2: what is no SPDY ends the connection', () => {
  const control = (type: number, payload: Buffer, length = payload.length) =>
    Buffer.concat([numbers((0x80030000 | type) >>> 0, length), payload]);
  it.each([
    ['text', Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(2)).fill(0xff, 0, 4)],
    ['another version', Buffer.concat([numbers(0x80020006, 4), numbers(1)])],
    ['a control frame that is too long', control(types.settings, Buffer.alloc(0), 0xffffff)],
    ['a control frame that is too short', control(types.ping, Buffer.alloc(2))],
    ['data for no stream', dataFrame(0, Buffer.from('x'), false)],
    ['headers that are not compressed', control(types.synStream, Buffer.concat([numbers(1, 0), Buffer.alloc(40)]))],
    ['no headers', control(types.synStream, numbers(1, 0))],
  ])('%s', async (_, bytes) => {
    const { client, connection, far } = connected();
    far.write(bytes);
    expect(await client.goneAway.promise).toBe(1);
    expect(connection.over.aborted).toBe(true);
  });

  it('headers that unpack to more than is taken', async () => {
    const { client, far } = connected();
    far.write(await client.synStream(1, { a: 'x'.repeat(1_000_000) }));
    expect(await client.goneAway.promise).toBe(1);
  });

  it('a stream of a number that was used', async () => {
    const { client, far } = connected();
    await (await client.open({ a: 'b' })).replied.promise;
    far.write(await client.synStream(1, { a: 'b' }));
    expect(await client.goneAway.promise).toBe(1);
  });

  it('more streams than are taken are refused; the others go on', async () => {
    const { client, streams, connection, far } = connected();
    const writer = new HeaderWriter();
    const refused = new ClientStream(far, 2_001);
    client.streams.set(refused.id, refused);
    for (let id = 1; id <= refused.id; id += 2) {
      const payload = [numbers(id, 0), Buffer.alloc(2), writer.write(new Map([['a', 'b']]))];
      client.control(types.synStream, Buffer.concat(payload));
    }
    await expect(refused.replied.promise).rejects.toThrow('refused: 3');
    expect(streams).toHaveLength(1_000);
    expect(connection.over.aborted).toBe(false);
  });
});

it('SEC-2: bytes that were damaged end the connection or do not, but throw nothing', async () => {
  const [quiet] = duplexPair();
  const writer = new SpdyClient(quiet);
  const whole = Buffer.concat([
    await writer.synStream(1, { streamType: 'stdin' }),
    dataFrame(1, Buffer.from('hello'), false),
    Buffer.concat([numbers(0x80030004, 12), numbers(1, initialWindowSetting, 100)]),
    Buffer.concat([numbers(0x80030009, 8), numbers(0, 100)]),
    await writer.synStream(3, { streamType: 'stdout' }),
    Buffer.concat([numbers(0x80030003, 8), numbers(1, 5)]),
    Buffer.concat([numbers(0x80030006, 4), numbers(1)]),
    dataFrame(3, Buffer.from('world'), true),
  ]);
  let random = 7;
  const below = (limit: number) => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return random % limit;
  };
  for (let round = 0; round < 300; round += 1) {
    const damaged = Buffer.from(whole);
    for (let left = 1 + below(4); left > 0; left -= 1) damaged[below(damaged.length)] = below(256);
    const { far, near } = connected((stream) => {
      stream.reply();
      stream.pipe(stream);
    });
    for (let at = 0; at < damaged.length; at += 50) far.write(damaged.subarray(at, at + 50));
    await settled();
    far.destroy();
    near.destroy();
  }
});
