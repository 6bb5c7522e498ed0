import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { continueInTurn } from './continue.ts';

describe('Expect: 100-continue', () => {
  const server = createServer();
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('behind an answer that is still on its way: 100 stands before the head of its own', async () => {
    continueInTurn(server);
    const first = Promise.withResolvers<void>();
    server.on('request', async (request, response) => {
      if (request.url === '/first') await first.promise;
      response.writeHead(200, { 'content-length': 2 }).end(Buffer.from('ok'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const second = once(server, 'checkContinue');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let seen = '';
    socket.on('data', (chunk) => {
      seen += chunk;
    });
    socket.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.write('POST /second HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx');
    await second;
    first.resolve();
    await expect.poll(() => seen.split('\r\n\r\nok').length).toBe(3);
    const shown = seen.replace(/\r\n(Date|content-length|Connection|Keep-Alive): [^\r]*/gi, '');
    const ok = 'HTTP/1.1 200 OK\r\n\r\nok';
    expect(shown).toBe(`${ok}HTTP/1.1 100 Continue\r\n\r\n${ok}`);
    socket.destroy();
  });
});
