import { once } from 'node:events';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { forbidden } from '@fleet/kube/status.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import { errorReply } from './boundary.ts';
import type { UpgradedReply } from './message.ts';

let server: Listening;
let member: Server;
let memberSide: Promise<Socket>;
let openSockets: Socket[];

/** What the member's end of an upgraded connection is, on a real socket that can half-close. */
async function dialMember(): Promise<Socket> {
  const { port } = member.address() as { port: number };
  const socket = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  openSockets.push(socket);
  return socket;
}

beforeEach(async () => {
  openSockets = [];
  const { promise, resolve } = Promise.withResolvers<Socket>();
  memberSide = promise;
  member = createServer({ allowHalfOpen: true }, (socket) => {
    openSockets.push(socket);
    socket.on('error', () => {});
    resolve(socket);
  });
  member.listen(0, '127.0.0.1');
  await once(member, 'listening');
});

afterEach(async () => {
  for (const socket of openSockets) socket.destroy();
  member.close();
  await server[Symbol.asyncDispose]();
});

const upgraded = async (head = Buffer.alloc(0)): Promise<UpgradedReply> => ({
  is: 'upgraded',
  status: 101,
  statusText: 'Switching Protocols',
  headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
  stream: await dialMember(),
  head,
});

async function open(sendWithHead = ''): Promise<TLSSocket> {
  const socket = connect({
    port: server.listener.address.port,
    host: '127.0.0.1',
    ca: server.ca.cert,
    allowHalfOpen: true,
    ALPNProtocols: ['http/1.1'],
  } as ConnectionOptions);
  openSockets.push(socket);
  await once(socket, 'secureConnect');
  socket.write(`GET /exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n${sendWithHead}`);
  return socket;
}

/** Reads until `expected` has come. */
async function readUntil(socket: Socket, expected: string): Promise<string> {
  let seen = '';
  while (!seen.includes(expected)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    seen += chunk.toString();
  }
  return seen;
}

describe('URL-13: upgrades', () => {
  it('join in both directions, with what either side sent early', async () => {
    server = await startListening(() => upgraded(Buffer.from('early from member')));
    const client = await open('early from client');
    const answer = await readUntil(client, 'early from member');
    expect(answer).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY\/3\.1\r\n\r\n/);
    const socket = await memberSide;
    expect(await readUntil(socket, 'client')).toBe('early from client');
    socket.write('to client');
    expect(await readUntil(client, 'to client')).toBe('to client');
  });

  it('half-close survives: a client that ends its input still gets the output', async () => {
    server = await startListening(() => upgraded());
    const client = await open();
    await readUntil(client, '\r\n\r\n');
    const socket = await memberSide;
    let input = '';
    socket.on('data', (chunk) => {
      input += chunk;
    });
    client.end('last input');
    await once(socket, 'end');
    expect(input).toBe('last input');
    const output = text(client);
    socket.end('output after input ended');
    expect(await output).toBe('output after input ended');
  });

  it('a member that ends leaves no connection behind', async () => {
    server = await startListening(() => upgraded());
    const client = await open();
    await readUntil(client, '\r\n\r\n');
    const socket = await memberSide;
    const closed = once(socket, 'close');
    const rest = text(client);
    socket.end('bye');
    expect(await rest).toBe('bye');
    client.end();
    socket.resume();
    await closed;
  });

  it('a client that is gone is reported to the member, whose own end leaves no connection behind', async () => {
    server = await startListening(() => upgraded());
    const client = await open();
    await readUntil(client, '\r\n\r\n');
    const socket = await memberSide;
    const closed = once(socket, 'close');
    socket.on('end', () => socket.end());
    socket.resume();
    client.destroy();
    await closed;
  });

  it('a member that breaks off takes the client’s connection with it', async () => {
    server = await startListening(() => upgraded());
    const client = await open();
    await readUntil(client, '\r\n\r\n');
    const rest = text(client);
    (await memberSide).resetAndDestroy();
    expect(await rest).toBe('');
  });

  it('ERR-1: an error is a Status and ends the connection', async () => {
    server = await startListening(async () => errorReply(forbidden('pods "x" is forbidden'), {}));
    const answer = await text(await open());
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ kind: 'Status', code: 403, reason: 'Forbidden' });
  });

  it('LIMIT-1: the connection of a refused client that keeps its half open is cut', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    server = await startListening(async () => errorReply(forbidden('pods "x" is forbidden'), {}));
    const accepted = once(server.listener.server, 'secureConnection') as Promise<[Socket]>;
    const client = await open();
    const [socket] = await accepted;
    client.resume();
    await once(client, 'end');
    for (let left = 1_000; left > 0 && !socket.destroyed; left -= 1) {
      vi.advanceTimersByTime(1_000);
      await new Promise((next) => setImmediate(next));
    }
    expect(socket.destroyed).toBe(true);
  });

  it('LIMIT-1: what a refused client sent is dropped, so that its end is seen', async () => {
    server = await startListening(async () => errorReply(forbidden('pods "x" is forbidden'), {}));
    const accepted = once(server.listener.server, 'secureConnection') as Promise<[Socket]>;
    const client = await open('x'.repeat(300_000));
    const [socket] = await accepted;
    client.resume();
    client.end();
    // Before it would be cut.
    await expect.poll(() => socket.destroyed, { timeout: 4_000 }).toBe(true);
  });

  it('LIMIT-1: a handler that fails leaves no connection behind', async () => {
    server = await startListening(() => Promise.reject(new Error('a bug')));
    expect(await text(await open())).toBe('');
    expect(server.errors).toMatchObject([{ message: 'a bug' }]);
  });

  it('a client that leaves before the answer ends the wait', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    server = await startListening(({ signal }) => {
      resolve(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const client = await open();
    const signal = await promise;
    const aborted = once(signal, 'abort');
    client.destroy();
    await aborted;
  });
});
