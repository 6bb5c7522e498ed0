import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import type { ListenerOptions } from './listener.ts';
import { jsonReply } from './message.ts';

let server: Listening;
const waiting = new EventEmitter();
const hanging = Promise.withResolvers<void>();

const start = (patience: ListenerOptions['patience'] = {}) =>
  startListening(
    async ({ url }) => {
      if (url === '/slow') await hanging.promise;
      if (url === '/waits') {
        setImmediate(() => waiting.emit('asked'));
        await once(waiting, 'go');
      }
      return jsonReply(200, url.length);
    },
    { patience },
  );

beforeEach(async () => {
  server = await start();
});

async function restarted(patience: ListenerOptions['patience']): Promise<void> {
  await server[Symbol.asyncDispose]();
  server = await start(patience);
}

afterEach(() => server[Symbol.asyncDispose]());

const overH1 = async (path: string, headers: Record<string, string> = {}) => {
  const request = server.h1(path, { agent: false, headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { code: response.statusCode, body: await text(response) };
};

const overH2 = (path: string, headers: Record<string, string> = {}) =>
  text(server.h2({ maxSendHeaderBlockLength: 1 << 20 }).request({ ':path': path, ...headers }));

const longUrl = `/${'a'.repeat(64 * 1024 - 1)}`;

describe('LIMIT-1: sizes', () => {
  it('RV-7: a URL of 64 KiB and a token beside it come through on either protocol', async () => {
    const headers = { authorization: `Bearer ${'t'.repeat(8 * 1024)}` };
    expect(await overH1(longUrl, headers)).toEqual({ code: 200, body: '65536\n' });
    expect(await overH2(longUrl, headers)).toBe('65536\n');
  });

  it('more than 128 KiB of headers are a 431 Status, and the connection is gone', async () => {
    const { code, body } = await overH1('/', { 'x-a': 'a'.repeat(100_000), 'x-b': 'b'.repeat(100_000) });
    expect(code).toBe(431);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 431, reason: 'RequestHeaderFieldsTooLarge' });
  });

  it('too many headers are refused on HTTP/2 without harm to others', async () => {
    const session = server.h2();
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`x-${i}`, '1']));
    const stream = session.request({ ':path': '/', ...many });
    await expect(text(stream)).rejects.toThrow();
    expect(await text(session.request({ ':path': '/' }))).toBe('1\n');
  });
});

describe('ERR-1: what is no HTTP', () => {
  it('is a 400 Status', async () => {
    const socket = connect({
      host: '127.0.0.1',
      port: server.listener.address.port,
      ca: server.ca.cert,
      ALPNProtocols: ['http/1.1'],
    });
    socket.write('GET / HTTP/1.1\r\nbroken header\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ kind: 'Status', code: 400 });
  });

  it.each([
    ['a chunk of a size that is none', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['a length beside chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['chunks that are none', 'Transfer-Encoding: xchunked\r\n\r\n', 501],
  ])('%s, while the request waits for its body', async (_, rest, code) => {
    const socket = connect({
      host: '127.0.0.1',
      port: server.listener.address.port,
      ca: server.ca.cert,
      ALPNProtocols: ['http/1.1'],
    });
    socket.write(`POST /slow HTTP/1.1\r\nHost: a\r\n${rest}`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
  });

  it.each([
    ['no request', 'no request'],
    ['letters that a URL has not', 'GET /\u00e9 HTTP/1.1\r\nHost: a'],
  ])('is answered behind the request before it, as Go does: %s', async (_, second) => {
    const socket = connect({
      host: '127.0.0.1',
      port: server.listener.address.port,
      ca: server.ca.cert,
      ALPNProtocols: ['http/1.1'],
    });
    socket.write(Buffer.from(`GET /waits HTTP/1.1\r\nHost: a\r\n\r\n${second}\r\n\r\n`, 'latin1'));
    await once(waiting, 'asked');
    waiting.emit('go');
    const answers = await text(socket);
    expect(answers.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(answers).toContain('\r\n\r\n6\nHTTP/1.1 400 Bad Request\r\n');
  });
});

describe('LIMIT-1: connections without requests', () => {
  it('are closed on HTTP/2 after a while; one that waits for an answer is not', async () => {
    await restarted({ keepAliveTimeout: 50 });
    const [quiet, waiting] = [server.h2(), server.h2()];
    const stream = waiting.request({ ':path': '/slow' });
    await text(quiet.request({ ':path': '/' }));
    await once(quiet, 'close');
    await sleep(100);
    expect(waiting.closed).toBe(false);
    hanging.resolve();
    expect(await text(stream)).toBe('5\n');
  });
});

describe('LIMIT-1: clients that begin and do not go on', () => {
  const tls = (protocol: string) =>
    connect({
      host: '127.0.0.1',
      port: server.listener.address.port,
      ca: server.ca.cert,
      ALPNProtocols: [protocol],
    });
  const tcp = (bytes = '') => {
    const socket = connectTcp(server.listener.address.port, '127.0.0.1');
    socket.write(bytes, 'latin1');
    return socket;
  };
  const answered = async (socket: Socket) => {
    let heard = '';
    socket.on('data', (bytes) => {
      heard += String(bytes);
    });
    socket.on('error', () => socket.destroy());
    await once(socket, 'close');
    return heard;
  };
  const haste = { handshakeTimeout: 100, headersTimeout: 100, keepAliveTimeout: 100, connectionsCheckingInterval: 20 };

  it.each([
    ['no byte', () => tcp()],
    ['half a greeting of TLS', () => tcp('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')],
    ['HTTP/2 without its preface', () => tls('h2')],
  ])('%s: the connection is closed', async (_, open) => {
    await restarted(haste);
    await answered(open());
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ])('%s on HTTP/1.1 is 408', async (_, head) => {
    await restarted(haste);
    const socket = tls('http/1.1');
    socket.write(head);
    expect(await answered(socket)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n(.*\r\n)+.*"reason":"Timeout"/);
  });

  it('with more patience they are still there while others have gone', async () => {
    const kept = [tcp(), tcp('\x16\x03'), tls('h2'), tls('http/1.1')];
    const usual = server;
    server = await start(haste);
    await answered(tls('http/1.1'));
    expect(kept.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
    for (const socket of kept) socket.destroy();
    await usual[Symbol.asyncDispose]();
  });
});
