import { type Duplex, duplexPair } from 'node:stream';
import { SpdyClient } from '@fleet/kube/spdy/testing/spdy-client.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ConnectedServer, connectedServer, podsUrl } from '../testing/connected-server.ts';

const url = `${podsUrl}/one/portforward`;

async function pair(client: SpdyClient, port: number, requestID?: string) {
  const headers = { port: String(port), ...(requestID === undefined ? {} : { requestID }) };
  const error = await client.open({ ...headers, streamType: 'error' });
  const data = await client.open({ ...headers, streamType: 'data' });
  await Promise.all([error.replied.promise, data.replied.promise]);
  return { error, data };
}

describe('URL-13: ports over SPDY', () => {
  it('each pair of streams is a connection; halves close one by one', async () => {
    const server = await connectedServer();
    const { client, headers } = await server.spdy(url, 'portforward.k8s.io');
    expect(headers['x-stream-protocol-version']).toBe('portforward.k8s.io');
    const [first, second] = [await pair(client, 80, '0'), await pair(client, 81, '1')];
    second.data.write('two');
    first.data.write('one');
    await vi.waitFor(() => expect([first, second].map(({ data }) => String(data.received))).toEqual(['one', 'two']));
    first.data.end();
    expect(await first.data.over.promise).toBe('ended');
    expect(await first.error.text()).toBe('');
    second.data.write('!', true);
    expect(await second.data.text()).toBe('two!');
    expect(server.connector.asked).toEqual([
      { forward: 'one', port: 80 },
      { forward: 'one', port: 81 },
    ]);
  });

  it('a port that cannot be reached is reported, and the connection goes on', async () => {
    const server = await connectedServer();
    const { client } = await server.spdy(url, 'portforward.k8s.io');
    const refused = await pair(client, 1, '0');
    expect(await refused.error.text()).toMatch(/^error forwarding port 1 to pod one, uid [\w-]+: connection refused$/);
    expect(await refused.data.over.promise).toBe('reset');
    const { data } = await pair(client, 80, '1');
    data.write('hi', true);
    expect(await data.text()).toBe('hi');
  });

  it('streams of old clients, which number no requests, find each other', async () => {
    const server = await connectedServer();
    const { client } = await server.spdy(url, 'portforward.k8s.io');
    const { data } = await pair(client, 80);
    data.write('hi', true);
    expect(await data.text()).toBe('hi');
  });

  it.each([
    { streamType: 'data' },
    { streamType: 'data', port: '0' },
    { streamType: 'data', port: '65536' },
    { streamType: 'data', port: 'x' },
    { streamType: 'other', port: '80' },
    { port: '80' },
    { streamType: 'data', port: '80', requestID: '1'.repeat(65) },
  ])('a stream with %o is reset', async (headers) => {
    const server = await connectedServer();
    const { client } = await server.spdy(url, 'portforward.k8s.io');
    expect(await (await client.open(headers)).over.promise).toBe('reset');
  });
});

it('SEC-2: a third stream of a pair is reset; however many come, the client gets one error', async () => {
  const server = await connectedServer();
  const { client } = await server.spdy(url, 'portforward.k8s.io');
  const headers = { port: '80', requestID: '0' };
  const error = await client.open({ ...headers, streamType: 'error' });
  for (let left = 3; left > 0; left -= 1) {
    expect(await (await client.open({ ...headers, streamType: 'error' })).over.promise).toBe('reset');
  }
  const data = await client.open({ ...headers, streamType: 'data' });
  data.write('hi', true);
  expect(await data.text()).toBe('hi');
  expect(await error.text()).toBe('error processing stream for request 0: error stream already assigned');
});

/** A client's frame: short, and masked. */
function masked(payload: Buffer): Buffer {
  const mask = [1, 2, 3, 4];
  const head = [0x82, 0x80 | 126, payload.length >> 8, payload.length & 0xff, ...mask];
  return Buffer.concat([Buffer.from(head), payload.map((byte, index) => byte ^ mask[index % 4]!)]);
}

/** Bytes within messages. Node's own client refuses such a protocol name. */
async function tunnel({ change }: ConnectedServer): Promise<Duplex> {
  const { socket, headers } = await change(url, webSocketHeaders('SPDY/3.1+portforward.k8s.io'), 'GET');
  expect(headers['sec-websocket-protocol']).toBe('SPDY/3.1+portforward.k8s.io');
  const [near, far] = duplexPair();
  far.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += 1_000) socket!.write(masked(chunk.subarray(at, at + 1_000)));
  });
  let kept = Buffer.alloc(0);
  socket!.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    for (;;) {
      const short = kept[1] ?? 0;
      const size = short === 126 ? 4 : 2;
      const length = short === 126 && kept.length >= 4 ? kept.readUInt16BE(2) : short;
      if (kept.length < size + length || kept.length < size) return;
      if (kept[0] === 0x82) far.write(kept.subarray(size, size + length));
      kept = kept.subarray(size + length);
    }
  });
  return near;
}

const webSocketHeaders = (protocol: string) => ({
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'k',
  'sec-websocket-protocol': protocol,
});

it.each([
  ['SPDY/3.1+other.k8s.io', 403],
  ['soap', 403],
])('a WebSocket for %s is refused', async (protocol, code) => {
  const { change } = await connectedServer();
  expect((await change(`${url}?ports=80`, webSocketHeaders(protocol), 'GET')).status).toBe(code);
});

it('URL-13: ports over SPDY within a WebSocket', async () => {
  const server = await connectedServer();
  const client = new SpdyClient(await tunnel(server));
  const { data, error } = await pair(client, 80, '0');
  const large = 'x'.repeat(300_000);
  for (let at = 0; at < large.length; at += 50_000) data.write(large.slice(at, at + 50_000));
  data.end();
  expect(await data.text()).toBe(large);
  expect(await error.text()).toBe('');
});

it('URL-13: ports over the channels of a WebSocket, which begin with the port', async () => {
  const server = await connectedServer();
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${url}?ports=80&ports=8080`, ['v4.channel.k8s.io']);
  socket.binaryType = 'arraybuffer';
  onTestFinished(() => socket.close());
  const messages: number[][] = [];
  socket.addEventListener('message', ({ data }) => messages.push([...Buffer.from(data as ArrayBuffer)]));
  await vi.waitFor(() =>
    expect(messages).toEqual([
      [0, 80, 0],
      [1, 80, 0],
      [2, 144, 31],
      [3, 144, 31],
    ]),
  );
  socket.send(Buffer.from([2, 7, 8]));
  await vi.waitFor(() => expect(messages.at(-1)).toEqual([2, 7, 8]));
});
