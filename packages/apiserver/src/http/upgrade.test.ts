import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isConnectedUrl } from './connected.ts';
import { listen } from './listener.ts';
import { type ApiHandler, type ApiReply, jsonReply } from './message.ts';

describe('URL-13: the listener and connections that change protocols', () => {
  const path = '/api/v1/namespaces/default/pods/x/exec';

  async function changed(port: number, sent = '') {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n${sent}`);
    return socket;
  }

  const upgrading =
    (takeOver: NonNullable<ApiReply['takeOver']>): ApiHandler =>
    async ({ isUpgrade }) => {
      expect(isUpgrade).toBe(true);
      return { status: 101, headers: { connection: 'Upgrade', upgrade: 'echo' }, body: Buffer.alloc(0), takeOver };
    };

  it('hands over the connection with what the client sent early; halves close one by one', async () => {
    await using listener = await listen(upgrading(async (connection) => void connection.pipe(connection)));
    const socket = await changed(listener.port, 'early ');
    socket.end('late');
    expect(await text(socket)).toBe(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\nearly late',
    );
  });

  it('what throws after the change ends the connection', async () => {
    await using listener = await listen(
      upgrading(async () => {
        throw new Error('too late for an answer');
      }),
    );
    expect(await text(await changed(listener.port))).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('before the change an error is a plain answer, the last on the connection', async () => {
    await using listener = await listen(async () => jsonReply(403, { kind: 'Status' }));
    const answer = await text(await changed(listener.port));
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toContain('Connection: close\r\n');
    expect(answer.split('\r\n\r\n')[1]).toContain('Status');
  });

  it.each(['constructor', '__proto__', 'namespaces/default/toString/x/exec', 'namespaces/default/valueOf'])(
    'a path of no resource, %s, gets an answer in HTTP',
    async (path) => {
      expect(isConnectedUrl(`/api/v1/${path}`)).toBe(false);
      await using listener = await listen(async () => jsonReply(404, { kind: 'Status' }));
      const socket = connect(listener.port, '127.0.0.1');
      socket.end(`GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  it('LIMIT-1: the connection of a refused client that keeps its half open is cut', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    await using listener = await listen(async ({ signal }) => {
      resolve(signal);
      return jsonReply(403, { kind: 'Status' });
    });
    const socket = await changed(listener.port);
    onTestFinished(() => void socket.destroy());
    const signal = await promise;
    socket.resume();
    await once(socket, 'end');
    for (let left = 1_000; left > 0 && !signal.aborted; left -= 1) {
      vi.advanceTimersByTime(1_000);
      await new Promise((next) => setImmediate(next));
    }
    expect(signal.aborted).toBe(true);
  });

  it('LIMIT-1: what a refused client sent is dropped, so that its end is seen', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    await using listener = await listen(async ({ signal }) => {
      resolve(signal);
      return jsonReply(403, { kind: 'Status' });
    });
    const socket = await changed(listener.port, 'x'.repeat(300_000));
    const signal = await promise;
    socket.resume();
    socket.end();
    // Earlier than the timeout.
    await expect.poll(() => signal.aborted, { timeout: 4_000 }).toBe(true);
  });

  it('the handler is aborted if the client leaves before the answer', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    await using listener = await listen(({ signal }) => {
      resolve(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const socket = await changed(listener.port);
    const signal = await promise;
    const aborted = once(signal, 'abort');
    socket.destroy();
    await aborted;
  });

  it('the end of the listener is the end of them', async () => {
    const listener = await listen(upgrading(() => new Promise(() => {})));
    const socket = await changed(listener.port);
    await once(socket, 'data');
    const closed = once(socket, 'end');
    socket.resume();
    await listener[Symbol.asyncDispose]();
    await closed;
    socket.destroy();
  });
});
