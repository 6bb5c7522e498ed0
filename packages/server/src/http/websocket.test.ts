import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { ClientFrames } from '@fleet/kube/websocket/frames.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PlainReply } from './message.ts';
import { asWebSocket } from './websocket.ts';
import { joinStreams } from './write-reply.ts';

const upgrade = { upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'k' };

/** As a client writes it. */
const masked = (opcode: number, text: string) => {
  const mask = [1, 2, 3, 4];
  const payload = Buffer.from(text).map((byte, index) => byte ^ mask[index % 4]!);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, ...mask]), payload]);
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A body that the test writes to; records when its reader has gone. */
function openBody() {
  const waiting: string[] = [];
  let wake = () => {};
  const state = { over: false, ended: false };
  async function* body(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const text = waiting.shift();
        if (text !== undefined) yield Buffer.from(text);
        else if (state.ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      state.over = true;
    }
  }
  const write = (text: string) => {
    waiting.push(text);
    wake();
  };
  const end = () => {
    state.ended = true;
    wake();
  };
  return { body: body(), write, end, state };
}

/** Node's own client is the witness of what goes over the wire. */
async function connected(
  body: AsyncIterable<Buffer>,
): Promise<{ messages: string[]; socket: WebSocket; closed: () => number | undefined }> {
  const server = createServer();
  server.on('upgrade', (incoming, socket: Socket, head) => {
    const reply: PlainReply = { is: 'plain', status: 200, headers: {}, body };
    const upgraded = asWebSocket(reply, { headers: incoming.headers as Record<string, string> });
    if (upgraded.is !== 'upgraded') throw new Error('not upgraded');
    socket.on('error', () => socket.destroy());
    joinStreams(socket, upgraded, head, { sent: 0 }).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const messages: string[] = [];
  let code: number | undefined;
  socket.addEventListener('message', ({ data }) => messages.push(String(data)));
  socket.addEventListener('close', (event) => {
    code = event.code;
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  return { messages, socket, closed: () => code };
}

describe('WATCH-9: a WebSocket', () => {
  test('has a message for every line, of any size, and ends with the stream', async () => {
    const { body, write, end } = openBody();
    const { messages, closed } = await connected(body);
    const large = JSON.stringify({ text: 'x'.repeat(70_000) });
    write('{"a":1}\n{"b"');
    write(`:2}\n${large}\n`);
    await vi.waitFor(() => expect(messages).toEqual(['{"a":1}\n', '{"b":2}\n', `${large}\n`]));
    end();
    await vi.waitFor(() => expect(closed()).toBe(1000));
  });

  test('that its client closes ends the stream', async () => {
    const { body, write, state } = openBody();
    const { socket, messages, closed } = await connected(body);
    write('{"a":1}\n');
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    socket.close();
    await vi.waitFor(() => expect(closed()).toBeDefined());
    write('{"a":2}\n');
    await vi.waitFor(() => expect(state.over).toBe(true));
  });

  test.each([
    [{ upgrade: 'SPDY/3.1' }],
    [{ upgrade: 'websocket', 'sec-websocket-version': '13' }],
    [{ upgrade: 'websocket', 'sec-websocket-version': '8', 'sec-websocket-key': 'k' }],
    [
      {
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'k',
        'sec-websocket-protocol': 'a, b',
      },
    ],
  ])('400 for %o', (headers) => {
    const reply: PlainReply = { is: 'plain', status: 200, headers: {}, body: openBody().body };
    expect(() => asWebSocket(reply, { headers })).toThrow(expect.objectContaining({ code: 400 }));
  });

  test.each([
    ['base64.binary.k8s.io, base64url.bearer.authorization.k8s.io.dA', 'base64.binary.k8s.io'],
    ['base64url.bearer.authorization.k8s.io.dA,base64.binary.k8s.io', 'base64.binary.k8s.io'],
    [['base64url.bearer.authorization.k8s.io.dA', 'base64.binary.k8s.io'], 'base64.binary.k8s.io'],
    ['base64url.bearer.authorization.k8s.io.dA', undefined],
    [undefined, undefined],
  ])('of a browser, which sends %j, is answered with %j: never with its token', (sent, echoed) => {
    const reply: PlainReply = { is: 'plain', status: 200, headers: {}, body: openBody().body };
    const upgraded = asWebSocket(reply, { headers: { ...upgrade, 'sec-websocket-protocol': sent } });
    expect(upgraded).toMatchObject({ is: 'upgraded', status: 101 });
    expect(upgraded.headers['sec-websocket-protocol']).toBe(echoed);
  });

  test('SEC-2: pings of a client that reads nothing take no memory; it gets the pong to the last', async () => {
    const reply: PlainReply = { is: 'plain', status: 200, headers: {}, body: openBody().body };
    const upgraded = asWebSocket(reply, { headers: upgrade });
    if (upgraded.is !== 'upgraded') throw new Error('not upgraded');
    const { stream } = upgraded;
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => masked(9, '')));
    for (let i = 0; i < 20; i++) await new Promise((done) => stream.write(pings, done));
    await new Promise((done) => stream.write(masked(9, 'last'), done));
    const pong = '\x8a\x04last';
    let read = 0;
    for await (const chunk of stream) {
      read += chunk.length;
      if (chunk.toString('latin1').endsWith(pong)) break;
    }
    expect(read).toBeLessThan(32 * 1024);
  });

  test('a ping after the close is no error', async () => {
    const reply: PlainReply = { is: 'plain', status: 200, headers: {}, body: openBody().body };
    const upgraded = asWebSocket(reply, { headers: upgrade });
    if (upgraded.is !== 'upgraded') throw new Error('not upgraded');
    upgraded.stream.write(Buffer.concat([masked(8, ''), masked(9, ''), masked(8, '')]));
    expect(Buffer.concat(await upgraded.stream.toArray())).toEqual(Buffer.from([0x88, 2, 1000 >> 8, 1000 & 0xff]));
  });

  test('an error stays a plain answer', () => {
    const reply: PlainReply = { is: 'plain', status: 403, headers: {}, body: Buffer.from('{}') };
    expect(asWebSocket(reply, { headers: { upgrade: 'websocket' } })).toBe(reply);
  });
});

describe('what a client sends', () => {
  test.each([1, 2, 3, 7, 1_000])('is understood in pieces of %i bytes; messages are passed over', (size) => {
    const received: string[] = [];
    const frames = new ClientFrames({
      ping: (payload) => received.push(`ping ${payload}`),
      close: () => received.push('close'),
      broken: () => received.push('broken'),
    });
    const all = Buffer.concat([
      masked(1, 'a message'),
      masked(9, 'hello'),
      masked(2, ''),
      masked(9, ''),
      masked(8, ''),
    ]);
    for (let at = 0; at < all.length; at += size) frames.take(all.subarray(at, at + size));
    expect(received).toEqual(['ping hello', 'ping ', 'close']);
  });

  test('a control frame that is too long breaks it', () => {
    const broken = vi.fn();
    const frames = new ClientFrames({ ping: () => {}, close: () => {}, broken });
    frames.take(Buffer.from([0x89, 0xfe, 0x10, 0x00, 0, 0, 0, 0]));
    expect(broken).toHaveBeenCalled();
  });
});

test('SEC-2: a stream that holds memory which others wait for ends where its client takes nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const ended = vi.fn();
  async function* large() {
    try {
      for (;;) yield Buffer.from(`${'x'.repeat(100_000)}\n`);
    } finally {
      ended();
    }
  }
  const serve = (mustMove: () => boolean) => {
    const reply: PlainReply = { is: 'plain', status: 200, headers: {}, body: large(), mustMove };
    const upgraded = asWebSocket(reply, { headers: upgrade });
    if (upgraded.is !== 'upgraded') throw new Error('not upgraded');
    upgraded.stream.on('error', () => {});
    return upgraded.stream;
  };
  const [holds, holdsNothing] = [serve(() => true), serve(() => false)];
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
  expect([holds.destroyed, holdsNothing.destroyed]).toEqual([true, false]);
  holdsNothing.destroy();
});

test('SEC-2: a line of a member that never ends is dropped', async () => {
  let sent = 0;
  async function* endless() {
    while (sent < 100_000) {
      sent += 1_000;
      yield Buffer.alloc(1_000, 'x');
    }
  }
  const reply: PlainReply = {
    is: 'plain',
    status: 200,
    headers: {},
    body: endless(),
    memory: new AnswerMemory(10_000),
  };
  const upgraded = asWebSocket(reply, { headers: upgrade });
  if (upgraded.is !== 'upgraded') throw new Error('not upgraded');
  await expect(text(upgraded.stream)).rejects.toThrow('more than 10000 bytes');
  expect(sent).toBeLessThan(20_000);
});
