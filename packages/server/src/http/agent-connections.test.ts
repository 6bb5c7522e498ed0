import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import { listenForAgents } from './agent-listener.ts';
import { jsonReply } from './message.ts';

interface Accepted {
  stream: Duplex;
  address: string;
}

async function setUp(patience = {}) {
  const accepted: Accepted[] = [];
  const server = await startListening(async ({ url }) => jsonReply(200, { url }), {
    acceptAgent: (stream, address) => {
      accepted.push({ stream, address });
      stream.on('error', () => {});
      stream.on('data', (piece: Buffer) => stream.write(`heard ${piece}`));
    },
    patience,
  });
  return { server, accepted, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const raw = (server: Listening) => connect(server.listener.address.port, '127.0.0.1');

async function get(server: Listening): Promise<number | undefined> {
  const request = server.h1('/x').end();
  const [response] = (await once(request, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

const upgradeLines = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

async function webSocket(server: Listening, path: string) {
  const { port } = server.listener.address;
  const socket = connectTls({ port, host: '127.0.0.1', ca: server.ca.cert, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.write(upgradeLines(path));
  return socket;
}

describe('AGENT-2: SSH on the port of TLS', () => {
  it('is recognised by its first byte, with all of its bytes; TLS is served as ever', async () => {
    await using scene = await setUp();
    const { server, accepted } = scene;
    const socket = raw(server);
    socket.write('SSH-2.0-x\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toBe('heard SSH-2.0-x\r\n');
    expect(accepted[0]?.address).toBe('127.0.0.1');
    expect(await get(server)).toBe(200);
    const session = server.h2();
    const stream = session.request({ ':path': '/y' });
    expect(await text(stream)).toContain('/y');
    expect(accepted).toHaveLength(1);
    accepted[0]?.stream.destroy();
  });

  it('AGENT-3: one that sends nothing is closed in time, and so is one that sends nonsense', async () => {
    await using scene = await setUp({ handshakeTimeout: 100 });
    const silent = raw(scene.server);
    await once(silent, 'close');
    const nonsense = raw(scene.server);
    nonsense.on('error', () => {});
    nonsense.write('nonsense\r\n');
    nonsense.resume();
    await once(nonsense, 'close');
    expect(scene.accepted).toEqual([]);
  });

  it('is not waited for when the server ends; requests are', async () => {
    await using scene = await setUp();
    const { server, accepted } = scene;
    const socket = raw(server);
    socket.write('SSH-2.0-x\r\n');
    await once(socket, 'data');
    expect(await get(server)).toBe(200);
    const silent = raw(server);
    await once(silent, 'connect');
    await server.listener.close(60_000);
    expect(socket.destroyed).toBe(false);
    accepted[0]?.stream.destroy();
    await once(socket, 'close');
  });
});

describe('AGENT-2: SSH inside a WebSocket', () => {
  it('its binary messages are the bytes, in both directions, and its end is the end', async () => {
    await using scene = await setUp();
    const socket = await webSocket(scene.server, '/fleet/agent');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(String(head)).toMatch(/^HTTP\/1.1 101 /);
    socket.write(Buffer.concat([Buffer.from([0x82, 0x83, 0, 0, 0, 0]), Buffer.from('SSH')]));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.subarray(2).toString()).toBe('heard SSH');
    const [{ stream, address }] = scene.accepted as [Accepted];
    expect(address).toBe('127.0.0.1');
    const closed = once(socket, 'close');
    stream.destroy();
    await closed;
  });

  it('is not waited for when the server ends', async () => {
    await using scene = await setUp();
    const socket = await webSocket(scene.server, '/fleet/agent?x=y');
    await once(socket, 'data');
    await scene.server.listener.close(60_000);
    expect(socket.destroyed).toBe(false);
    scene.accepted[0]?.stream.destroy();
  });

  it('other paths are requests, and what is no request for a WebSocket is 400', async () => {
    await using scene = await setUp();
    const other = await webSocket(scene.server, '/fleet/agents');
    expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    const { port } = scene.server.listener.address;
    const socket = connectTls({ port, host: '127.0.0.1', ca: scene.server.ca.cert, ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    socket.write('GET /fleet/agent HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: spdy\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 400 /);
    expect(scene.accepted).toEqual([]);
    for (const one of [other, socket]) one.destroy();
  });
});

it('AGENT-2: a port for agents alone', async () => {
  const heard = Promise.withResolvers<string>();
  const accept = (stream: Duplex) => stream.once('data', (piece) => heard.resolve(String(piece)));
  const listener = await listenForAgents({ host: '127.0.0.1', port: 0 }, accept, () => {});
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.write('SSH-2.0-x');
  expect(await heard.promise).toBe('SSH-2.0-x');
  await expect(listenForAgents({ host: '127.0.0.1', port: listener.address.port }, accept, () => {})).rejects.toThrow(
    'the port is taken',
  );
  socket.destroy();
  listener.close();
});
