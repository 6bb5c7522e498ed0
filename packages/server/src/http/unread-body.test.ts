import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { boundUnreadBody, endWithUnreadBody } from './unread-body.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function connected(within: number): Promise<Socket & { seen: string }> {
  server = createServer((request, response) => {
    boundUnreadBody(request, response, { bytes: 0, within });
    endWithUnreadBody(request, response);
    response.end('answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = Object.assign(connect((server.address() as AddressInfo).port, '127.0.0.1'), { seen: '' });
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    socket.seen += chunk;
  });
  return socket;
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
const head = 'GET / HTTP/1.1\r\nHost: a\r\n';
const answers = ({ seen }: { seen: string }) => seen.split('answer').length - 1;

describe('LIMIT-1: a body that is announced and not read', () => {
  it.each(['Content-Length: 10', 'Transfer-Encoding: chunked'])(
    '%s: the answer comes at once, and the connection ends if it never comes',
    async (announced) => {
      const socket = await connected(50);
      socket.write(`${head}${announced}\r\n\r\n`);
      await once(socket, 'data');
      await closed(socket);
      expect(answers(socket)).toBe(1);
    },
  );

  it('of a client that is gone harms nobody', async () => {
    const socket = await connected(50);
    const answered = Promise.withResolvers<void>();
    server.removeAllListeners('request').on('request', (request, response) => {
      boundUnreadBody(request, response);
      // As Node has it once a connection has ended before its answer.
      request.socket.destroy();
      Object.defineProperty(request, 'socket', { value: null });
      response.emit('finish');
      answered.resolve();
    });
    socket.write(`${head}Content-Length: 10\r\n\r\n`);
    await answered.promise;
  });

  it('is answered, too, when whoever read it has given it up', async () => {
    const socket = await connected(50);
    server.removeAllListeners('request').on('request', (request, response) => {
      boundUnreadBody(request, response);
      Object.defineProperty(request, 'socket', { value: null });
      endWithUnreadBody(request, response);
      response.end('answer');
    });
    socket.write(`${head}Content-Length: 300000\r\n\r\n`);
    await once(socket, 'data');
    expect(socket.seen).toContain('Connection: close');
    expect(answers(socket)).toBe(1);
  });

  it('also if it comes byte by byte', async () => {
    const socket = await connected(100);
    socket.write(`${head}Content-Length: 1000000\r\n\r\n`);
    const drip = setInterval(() => socket.write('x'), 10);
    await closed(socket);
    clearInterval(drip);
    expect(answers(socket)).toBe(1);
  });

  it('if it is large it is not read to its end', async () => {
    const socket = await connected(20_000);
    socket.write(`${head}Content-Length: 100000000\r\n\r\n`);
    await once(socket, 'data');
    socket.write(Buffer.alloc(1024 * 1024));
    await closed(socket);
    expect(answers(socket)).toBe(1);
  });

  it.each([
    ['Content-Length: 300000', 'close'],
    ['Transfer-Encoding: chunked', 'close'],
    ['Content-Length: 10', 'keep-alive'],
  ])('%s: the answer shows whether the connection ends', async (announced, connection) => {
    const socket = await connected(50);
    socket.write(`${head}${announced}\r\n\r\n`);
    await closed(socket);
    expect(/^Connection: (.*)\r$/m.exec(socket.seen)?.[1]).toBe(connection);
  });

  it('a large one may be written to its end after the answer; then the connection ends without a reset', async () => {
    const socket = await connected(20_000);
    const failed = new Promise((resolve) => socket.once('error', resolve));
    socket.write(`${head}Content-Length: 300000\r\n\r\n`);
    await once(socket, 'data');
    const end = closed(socket);
    socket.write(Buffer.alloc(100_000));
    expect(await Promise.race([end.then(() => 'ended'), new Promise((resolve) => setImmediate(resolve, 'open'))])).toBe(
      'open',
    );
    socket.write(Buffer.alloc(200_000));
    expect(await Promise.race([end.then(() => 'ended'), failed])).toBe('ended');
    expect(answers(socket)).toBe(1);
  });

  it('if it comes after all, the connection goes on', async () => {
    const socket = await connected(100);
    socket.write(`${head}Content-Length: 3\r\n\r\n`);
    await once(socket, 'data');
    socket.write(`abc${head}\r\n`);
    await once(socket, 'data');
    expect(answers(socket)).toBe(2);
    const ended = closed(socket).then(() => 'ended');
    const later = new Promise((resolve) => setTimeout(resolve, 200, 'open'));
    expect(await Promise.race([ended, later])).toBe('open');
  });
});
