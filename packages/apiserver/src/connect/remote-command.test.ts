import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ConnectedServer, connectedServer, podsUrl, spdyHeaders } from '../testing/connected-server.ts';

const v4 = 'v4.channel.k8s.io';
const exec = (command: string, query = 'stdout=true&stderr=true') =>
  `${podsUrl}/one/exec?${query}&${command
    .split(' ')
    .map((word) => `command=${word}`)
    .join('&')}`;

describe('URL-13: a command over SPDY', () => {
  /** With the requested streams, as client-go opens them. */
  async function run(server: ConnectedServer, command: string, query?: string, protocol = v4) {
    const { client, socket, headers } = await server.spdy(exec(command, query), protocol);
    const open = async (streamType: string) => {
      const stream = await client.open({ streamType });
      await stream.replied.promise;
      return stream;
    };
    const error = await open('error');
    const wants = (name: string) => (query ?? 'stdout=true&stderr=true').includes(`${name}=`);
    const stdin = wants('stdin') ? await open('stdin') : undefined;
    const stdout = wants('stdout') ? await open('stdout') : undefined;
    const stderr = wants('stderr') && !wants('tty') ? await open('stderr') : undefined;
    return { client, socket, headers, error, stdin, stdout, stderr, open };
  }

  it('gets its streams, and reports success', async () => {
    const server = await connectedServer();
    const { error, stdout, stderr, headers, client, socket } = await run(server, 'echo hello there');
    expect(headers).toMatchObject({ upgrade: 'SPDY/3.1', 'x-stream-protocol-version': v4 });
    expect(await stdout!.text()).toBe('hello there\n');
    expect(await stderr!.text()).toBe('');
    expect(JSON.parse(await error.text())).toEqual({ metadata: {}, status: 'Success' });
    expect(await client.goneAway.promise).toBe(0);
    await once(socket, 'end');
  });

  it('half-close: input that has ended ends the command, whose output still comes', async () => {
    const server = await connectedServer();
    const { stdin, stdout, error } = await run(server, 'cat', 'stdin=true&stdout=true');
    stdin!.write('a');
    await vi.waitFor(() => expect(stdout!.received.toString()).toBe('a'));
    stdin!.write('b', true);
    expect(await stdout!.text()).toBe('ab');
    expect(JSON.parse(await error.text()).status).toBe('Success');
  });

  it('reports an exit code, an error for clients, and of other errors no text', async () => {
    const server = await connectedServer();
    expect(JSON.parse(await (await run(server, 'exit 3')).error.text())).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'command terminated with non-zero exit code: error executing command [exit 3], exit code 3',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
    expect(JSON.parse(await (await run(server, 'refuse')).error.text())).toMatchObject({
      reason: 'BadRequest',
      message: 'the container is not running',
    });
    expect(server.internalErrors).toEqual([]);
    expect(await (await run(server, 'nothing')).error.text()).not.toContain('secret');
    expect(server.internalErrors).toHaveLength(1);
  });

  it.each(['channel.k8s.io', 'v2.channel.k8s.io', 'v3.channel.k8s.io'])(
    '%s reports failures alone, as text',
    async (protocol) => {
      const server = await connectedServer();
      const failing = await run(server, 'exit 3', undefined, protocol);
      expect(await failing.error.text()).toMatch(/^command terminated with non-zero exit code/);
      expect(await (await run(server, 'echo x', undefined, protocol)).error.text()).toBe('');
    },
  );

  it('a terminal has no stderr, and its sizes are passed on; a slow reader gets the last', async () => {
    const server = await connectedServer();
    const { stdout, open } = await run(server, 'size', 'stdout=true&stderr=true&tty=true');
    const resize = await open('resize');
    resize.write('{"Width":80,"Hei');
    resize.write('ght":24}\n');
    expect(await stdout!.text()).toBe('80x24\n');
    expect(server.connector.asked).toMatchObject([{ tty: true }]);
  });

  it('a client that is gone aborts the command', async () => {
    const server = await connectedServer();
    const { socket } = await run(server, 'wait');
    await vi.waitFor(() => expect(server.connector.sessions).toHaveLength(1));
    socket.destroy();
    await vi.waitFor(() => expect(server.connector.sessions[0]!.signal.aborted).toBe(true));
    expect(server.internalErrors).toEqual([]);
  });

  it('SEC-2: streams that it has no use for are reset, and a second one of a kind', async () => {
    const server = await connectedServer();
    const { client, stdin, stdout } = await run(server, 'cat', 'stdin=true&stdout=true');
    for (const streamType of ['', 'other', 'stderr', 'stdin']) {
      expect(await (await client.open({ streamType })).over.promise).toBe('reset');
    }
    stdin!.write('a', true);
    expect(await stdout!.text()).toBe('a');
  });

  it('SEC-2: output waits for a client that does not read', async () => {
    const server = await connectedServer();
    const { socket } = await run(server, 'many 1000');
    socket.pause();
    const session = await vi.waitFor(() => server.connector.sessions[0]!);
    const before = process.memoryUsage().arrayBuffers;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
    socket.destroy();
    await vi.waitFor(() => expect(session.signal.aborted).toBe(true));
  });

  it.each([
    [{}, 400, 'unable to upgrade: header X-Stream-Protocol-Version does not exist in request with 4 headers'],
    [
      { 'x-stream-protocol-version': ['a', 'b'] },
      403,
      'unable to upgrade: unable to negotiate protocol: client supports [a b], server accepts [v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io]',
    ],
    [{ upgrade: 'h2c' }, 400, 'unable to upgrade: missing upgrade headers in request'],
  ])('ERR-1: %j is answered with a Status', async (headers, code, message) => {
    const server = await connectedServer();
    const { status, body } = await server.change(exec('cat'), { ...spdyHeaders, ...headers });
    expect(status).toBe(code);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code, message });
  });

  it('without any stream it is refused, and errors before the change are plain answers', async () => {
    const server = await connectedServer();
    const offered = { ...spdyHeaders, 'x-stream-protocol-version': v4 };
    const none = await server.change(`${podsUrl}/one/exec?command=a`, offered);
    expect(JSON.parse(none.body)).toMatchObject({
      code: 400,
      message: 'you must specify at least 1 of stdin, stdout, stderr',
    });
    const nobody = await server.change(`${podsUrl}/nobody/exec?command=a&stdout=1`, offered);
    expect([nobody.status, nobody.headers.connection]).toEqual([404, 'close']);
  });

  it('for other paths an upgrade offer is ignored', async () => {
    const server = await connectedServer();
    expect((await server.change(`${podsUrl}/one`, spdyHeaders, 'GET')).status).toBe(200);
  });
});

describe('URL-13: a command over a WebSocket', () => {
  /** With Node's own client. */
  async function run({ port }: ConnectedServer, url: string, protocol?: string) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${url}`, protocol ? [protocol] : []);
    socket.binaryType = 'arraybuffer';
    onTestFinished(() => socket.close());
    const messages: (string | Buffer)[] = [];
    socket.addEventListener('message', ({ data }) =>
      messages.push(typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer)),
    );
    const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('no WebSocket')));
    });
    const on = (channel: number): string =>
      Buffer.concat(
        messages
          .filter((one): one is Buffer => typeof one !== 'string' && one[0] === channel)
          .map((one) => one.subarray(1)),
      ).toString();
    return { socket, messages, closed, on };
  }

  it('v5: has channels, begins with nothing on the first, and ends normally with a Status', async () => {
    const { socket, messages, closed, on } = await run(
      await connectedServer(),
      exec('echo hello'),
      'v5.channel.k8s.io',
    );
    expect(await closed).toBe(1000);
    expect(socket.protocol).toBe('v5.channel.k8s.io');
    expect(messages[0]).toEqual(Buffer.from([1]));
    expect(on(1)).toBe('hello\n');
    expect(JSON.parse(on(3))).toEqual({ metadata: {}, status: 'Success' });
  });

  it('v5: 255 and a channel end the input', async () => {
    const { socket, closed, on } = await run(
      await connectedServer(),
      exec('cat', 'stdin=1&stdout=1'),
      'v5.channel.k8s.io',
    );
    socket.send(Buffer.from([0, ...Buffer.from('hi')]));
    socket.send(Buffer.from([255, 0]));
    expect(await closed).toBe(1000);
    expect(on(1)).toBe('hi');
  });

  it('v4: exit codes, stderr, and sizes', async () => {
    const server = await connectedServer();
    const failing = await run(server, exec('complain'), v4);
    await failing.closed;
    expect([failing.on(2), JSON.parse(failing.on(3)).details.causes[0].message]).toEqual(['oh no\n', '1']);
    const sized = await run(server, exec('size', 'stdout=1&tty=1'), v4);
    sized.socket.send(Buffer.from([4, ...Buffer.from('{"Width":99,"Height":30}')]));
    await sized.closed;
    expect(sized.on(1)).toBe('99x30\n');
  });

  it('v4.base64: each message is text', async () => {
    const { socket, messages } = await run(
      await connectedServer(),
      exec('cat', 'stdin=1&stdout=1'),
      'v4.base64.channel.k8s.io',
    );
    socket.send(`0${Buffer.from('hi there').toString('base64')}`);
    await vi.waitFor(() => expect(messages).toEqual(['1', `1${Buffer.from('hi there').toString('base64')}`]));
  });

  it('without a protocol it is as before version 4', async () => {
    const { closed, on } = await run(await connectedServer(), exec('exit 2'));
    await closed;
    expect(on(3)).toMatch(/^command terminated with non-zero exit code/);
  });

  it('a client that closes aborts the command', async () => {
    const server = await connectedServer();
    const { socket } = await run(server, exec('wait'), 'v5.channel.k8s.io');
    await vi.waitFor(() => expect(server.connector.sessions).toHaveLength(1));
    socket.close();
    await vi.waitFor(() => expect(server.connector.sessions[0]!.signal.aborted).toBe(true));
  });

  it('one for a protocol that is not known is refused', async () => {
    const server = await connectedServer();
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'k',
      'sec-websocket-protocol': 'soap',
    };
    expect((await server.change(exec('cat'), headers, 'GET')).status).toBe(403);
    const { 'sec-websocket-key': _, ...keyless } = { ...headers, 'sec-websocket-protocol': v4 };
    expect((await server.change(exec('cat'), keyless, 'GET')).status).toBe(400);
  });

  it('attach reports no exit code', async () => {
    const server = await connectedServer();
    const { socket, closed, on } = await run(server, `${podsUrl}/one/attach?stdin=1&stdout=1`, 'v5.channel.k8s.io');
    socket.send(Buffer.from([0, ...Buffer.from('hey')]));
    socket.send(Buffer.from([255, 0]));
    await closed;
    expect([on(1), JSON.parse(on(3)).status]).toEqual(['attached\nhey', 'Success']);
    expect(server.connector.asked).toEqual([{ attach: 'one', container: 'app' }]);
  });
});

describe('WATCH-9: a log over a WebSocket', () => {
  it.each([
    ['', 'line 1\n'],
    ['binary.k8s.io', 'line 1\n'],
    ['base64.binary.k8s.io', 'bGluZSAxCg=='],
  ])('%j: begins with nothing, and ends normally', async (protocol, line) => {
    const { port } = await connectedServer();
    const socket = new WebSocket(`ws://127.0.0.1:${port}${podsUrl}/one/log?tailLines=1`, protocol ? [protocol] : []);
    socket.binaryType = 'arraybuffer';
    const messages: string[] = [];
    socket.addEventListener('message', ({ data }) => messages.push(Buffer.from(data as string).toString()));
    const code = await new Promise((resolve) => socket.addEventListener('close', (event) => resolve(event.code)));
    expect([code, ...messages]).toEqual([1000, '', line]);
  });

  it('ends when its client closes it', async () => {
    const server = await connectedServer();
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${podsUrl}/one/log?follow=1`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    socket.close();
    await closed;
    expect(server.internalErrors).toEqual([]);
  });
});
