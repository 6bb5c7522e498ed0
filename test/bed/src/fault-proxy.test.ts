import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { until } from './until.ts';

let echo: Server;
let echoSockets: Set<Socket>;
let proxy: FaultProxy;
let clients: Socket[];

beforeEach(async () => {
  clients = [];
  echoSockets = new Set();
  echo = createServer((socket) => {
    echoSockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => echoSockets.delete(socket));
    socket.pipe(socket);
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  proxy = await startFaultProxy((echo.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  await proxy[Symbol.asyncDispose]();
  await until('no connection is left at the server', () => echoSockets.size === 0);
  await new Promise((resolve) => echo.close(resolve));
});

async function client(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket, question: string): Promise<string> {
  socket.write(question);
  const [answer] = await once(socket, 'data');
  return `${answer}`;
}

/** Turns true when the socket hears something. */
function listenFor(socket: Socket): () => boolean {
  let heard = false;
  socket.on('data', () => {
    heard = true;
  });
  return () => heard;
}

describe('a fault proxy', () => {
  it('passes everything when healed, and counts', async () => {
    const [first, second] = [await client(), await client()];
    expect(await ask(first, 'one')).toBe('one');
    expect(await ask(second, 'two')).toBe('two');
    expect([proxy.open, proxy.accepted]).toEqual([2, 2]);
    first.end();
    await until('one is closed', () => proxy.open === 1);
  });

  it('carries more than it holds, and half-closed connections', async () => {
    const socket = await client();
    socket.end(Buffer.alloc(5_000_000, 'a'));
    expect((await text(socket)).length).toBe(5_000_000);
  });

  it('drops on open and new connections, and delivers when healed', async () => {
    const old = await client();
    expect(await ask(old, 'before')).toBe('before');
    await proxy.drop();
    const fresh = await client();
    const heard = [old, fresh].map(listenFor);
    old.write('held');
    fresh.write('held');
    // a healthy way past the proxy shows that there was time for an answer
    const direct = connect((echo.address() as AddressInfo).port, '127.0.0.1');
    clients.push(direct);
    for (let round = 0; round < 20; round++) await ask(direct, 'there');
    expect(heard.map((one) => one())).toEqual([false, false]);
    await proxy.heal();
    await until('both are delivered', () => heard.every((one) => one()));
  });

  it('refuses: nobody listens, open connections close, and the port comes back', async () => {
    const old = await client();
    const closed = once(old, 'close');
    await proxy.refuse();
    await closed;
    await expect(client()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.heal();
    expect(await ask(await client(), 'again')).toBe('again');
  });

  it('delays both directions, in order', async () => {
    const socket = await client();
    await proxy.delay(100);
    const began = performance.now();
    expect(await ask(socket, 'slow')).toBe('slow');
    expect(performance.now() - began).toBeGreaterThan(190);
    socket.end('abc');
    expect(await text(socket)).toBe('abc');
  });

  it('resets open and new connections', async () => {
    const old = await client();
    await ask(old, 'before');
    const failed = once(old, 'error');
    await proxy.reset();
    expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
    const fresh = connect(proxy.port, '127.0.0.1');
    fresh.on('connect', () => fresh.write('x'));
    expect((await once(fresh, 'error').catch((error) => [error]))[0]).toMatchObject({ code: 'ECONNRESET' });
    await until('nothing is open', () => proxy.open === 0);
  });

  it('truncates the answer with an orderly end', async () => {
    const socket = await client();
    await proxy.truncate(4);
    socket.write('truncated');
    expect(await text(socket)).toBe('trun');
    await until('both ends are gone', () => proxy.open === 0 && echoSockets.size === 0);
  });

  it('corrupts the answer, not its length', async () => {
    const socket = await client();
    await proxy.corrupt();
    socket.write('abc');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect([...answer]).toEqual([0x61, 0x62 ^ 0xff, 0x63]);
  });
});
