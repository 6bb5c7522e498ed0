import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import { jsonReply } from './message.ts';
import { refusedHead } from './strict-head.ts';

describe('IMP-4: heads that Go refuses', () => {
  it.each([
    ['two hosts', { host: ['a', 'b'] }, 400],
    ['the same host twice', { host: ['a', 'a'] }, 400],
    ['a space in the host', { host: 'a b' }, 400],
    ['a user in the host', { host: 'a@b' }, 400],
    ['a path in the host', { host: 'a/b' }, 400],
    ['a letter beyond ASCII in the host', { host: '\xe4' }, 400],
    ['another encoding before chunks', { host: 'a', 'transfer-encoding': 'gzip, chunked' }, 501],
    ['the same in two headers', { host: 'a', 'transfer-encoding': ['gzip', 'chunked'] }, 501],
  ])('%s', (_, headers, code) => {
    expect(refusedHead('1.1', headers)).toMatchObject({ code });
  });

  it.each(['0.9', '2.0', '3.0', '1.2'])('HTTP/%s', (version) => {
    expect(refusedHead(version, { host: 'a' })).toMatchObject({ code: 505 });
  });

  it.each([
    {},
    { host: '' },
    { host: '[::1]:6443' },
    { host: 'fleet.example:6443' },
    { host: 'a', 'transfer-encoding': 'Chunked' },
  ])('but not %j', (headers) => {
    expect(refusedHead('1.1', headers)).toBeUndefined();
    expect(refusedHead('1.0', headers)).toBeUndefined();
  });
});

describe('on a connection', () => {
  let server: Listening;
  let handled = 0;
  beforeAll(async () => {
    server = await startListening(async () => {
      handled++;
      return jsonReply(200, {});
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const answerTo = (...lines: string[]) => {
    const { port } = server.listener.address;
    const socket = connect({ host: '127.0.0.1', port, ca: server.ca.cert, ALPNProtocols: ['http/1.1'] });
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return text(socket);
  };

  it.each([
    ['400 Bad Request', 'GET / HTTP/1.1', 'Host: a', 'Host: b'],
    ['400 Bad Request', 'GET / HTTP/1.1', 'Host: a', 'Host: b', 'Connection: Upgrade', 'Upgrade: websocket'],
    ['501 Not Implemented', 'POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked', '', '0'],
    ['501 Not Implemented', 'POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: xchunked'],
    ['505 HTTP Version Not Supported', 'GET / HTTP/2.0', 'Host: a'],
  ])('%s: %s, %s, %s: a Status, and the connection ends before any work is done', async (status, ...lines) => {
    const before = handled;
    const answer = await answerTo(...lines);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(head.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: Number(status.slice(0, 3)) });
    expect(handled).toBe(before);
  });
});
