import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import { jsonReply } from './message.ts';
import { closeIdleSessions } from './slow-clients.ts';

let server: Listening;
const hanging = Promise.withResolvers<void>();

beforeEach(async () => {
  server = await startListening(async ({ url }) => {
    if (url === '/slow') await hanging.promise;
    return jsonReply(200, url.length);
  });
});
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

  it('is never taken for the answer to the request before it', async () => {
    const socket = connect({
      host: '127.0.0.1',
      port: server.listener.address.port,
      ca: server.ca.cert,
      ALPNProtocols: ['http/1.1'],
    });
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\nno request\r\n\r\n');
    expect(await text(socket)).toBe('');
  });
});

describe('LIMIT-1: connections without requests', () => {
  it('are closed on HTTP/2 after a while; one that waits for an answer is not', async () => {
    closeIdleSessions(server.listener.server, 50);
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
