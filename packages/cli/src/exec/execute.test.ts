/** The client's end of `v5.channel.k8s.io`, against a server that is written by hand. */

import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { startApiServer } from '@fleet/client/testing/api-server.ts';
import { describe, expect, test } from 'vitest';
import { PatientUpstream } from '../patient-upstream.ts';
import { execute, type Streams } from './execute.ts';
import { FrameReader, maskedFrame } from './frames.ts';

const salt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A short frame of a server: not masked. */
const serverFrame = (opcode: number, payload: Buffer, isLast = true): Buffer =>
  payload.length < 126
    ? Buffer.concat([Buffer.of((isLast ? 0x80 : 0) | opcode, payload.length), payload])
    : Buffer.concat([Buffer.of(0x82, 126, payload.length >> 8, payload.length & 0xff), payload]);
const message = (channel: number, text: string) =>
  serverFrame(2, Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
const success = message(3, JSON.stringify({ status: 'Success' }));

/** The payloads of what a client sent, without masks. */
class Heard {
  readonly payloads: Buffer[] = [];
  private kept = Buffer.alloc(0);

  take(chunk: Buffer): void {
    this.kept = Buffer.concat([this.kept, chunk]);
    for (;;) {
      const short = (this.kept[1] ?? 0) & 0x7f;
      const before = short === 126 ? 4 : 2;
      const length = short === 126 ? (this.kept.length >= 4 ? this.kept.readUInt16BE(2) : Number.NaN) : short;
      const end = before + 4 + length;
      if (!(this.kept.length >= end) || this.kept.length < 2) return;
      const mask = this.kept.subarray(before, before + 4);
      this.payloads.push(Buffer.from(this.kept.subarray(before + 4, end).map((byte, at) => byte ^ mask[at & 3]!)));
      this.kept = this.kept.subarray(end);
    }
  }
}

async function run(serve: (socket: Socket, heard: Heard) => void, streams: Partial<Streams> = {}) {
  const server = await startApiServer((_, response) => response.writeHead(403).end('{"kind":"Status","message":"no"}'));
  const heard = new Heard();
  server.onUpgrade((request, socket) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${salt}`).digest('base64');
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${request.headers['sec-websocket-protocol']}\r\n\r\n`,
    );
    socket.on('data', (chunk: Buffer) => heard.take(chunk));
    serve(socket, heard);
  });
  const out = { stdout: '', stderr: '' };
  const upstream = PatientUpstream.to({ url: server.url, tls: {} });
  try {
    const all: Streams = {
      stdin: undefined,
      stdout: (chunk) => (out.stdout += chunk),
      stderr: (chunk) => (out.stderr += chunk),
      ...streams,
    };
    const code = await execute(upstream, { path: '/exec', signal: new AbortController().signal }, all);
    return { code, ...out, heard: heard.payloads, protocol: server.requests[0]!.headers['sec-websocket-protocol'] };
  } finally {
    await upstream[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  }
}

describe('a command', () => {
  test('separates the output streams, and reads the exit code from the Status', async () => {
    const failure = {
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    };
    const { code, stdout, stderr, protocol } = await run((socket) =>
      socket.write(Buffer.concat([message(1, 'out'), message(2, 'err'), message(3, JSON.stringify(failure))])),
    );
    expect({ code, stdout, stderr, protocol }).toEqual({
      code: 3,
      stdout: 'out',
      stderr: 'err',
      protocol: 'v5.channel.k8s.io',
    });
  });

  test('reads input until it ends, and then closes that channel', async () => {
    const long = Buffer.alloc(40_000, 'x');
    async function* stdin() {
      yield Buffer.from('hello');
      yield long;
    }
    const { code, heard } = await run(
      (socket, { payloads }) =>
        socket.on('data', () => {
          if (payloads.some((payload) => payload[0] === 255)) socket.write(success);
        }),
      { stdin: stdin() },
    );
    expect(code).toBe(0);
    const input = heard.filter((payload) => payload[0] === 0).map((payload) => payload.subarray(1));
    expect(Buffer.concat(input)).toEqual(Buffer.concat([Buffer.from('hello'), long]));
    expect(heard).toContainEqual(Buffer.of(255, 0));
  });

  test('does not wait for input that nobody types', async () => {
    async function* never() {
      await new Promise(() => {});
      yield Buffer.of(0);
    }
    expect((await run((socket) => socket.write(success), { stdin: never() })).code).toBe(0);
  });

  test('learns of the size of the terminal', async () => {
    const { heard } = await run(
      (socket, { payloads }) => socket.on('data', () => payloads.length > 1 && socket.write(success)),
      {
        onResize: (onSize) => {
          onSize({ width: 80, height: 24 });
          void turn().then(() => onSize({ width: 100, height: 30 }));
          return () => {};
        },
      },
    );
    expect(heard.slice(0, 2).map((payload) => [payload[0], JSON.parse(payload.subarray(1).toString())])).toEqual([
      [4, { Width: 80, Height: 24 }],
      [4, { Width: 100, Height: 30 }],
    ]);
  });

  test('goes on through pings and messages in pieces', async () => {
    const { stdout } = await run((socket) =>
      socket.write(
        Buffer.concat([
          serverFrame(9, Buffer.from('p')),
          serverFrame(2, Buffer.from('\x01one '), false),
          serverFrame(0, Buffer.from('two')),
          success,
        ]),
      ),
    );
    expect(stdout).toBe('one two');
  });

  test.each([
    [
      'a connection that ends first',
      (socket: Socket) => socket.end(message(1, 'x')),
      'closed before the command ended',
    ],
    ['one that is closed first', (socket: Socket) => socket.write(serverFrame(8, Buffer.of(3, 232))), 'closed before'],
    [
      'a command that cannot be run',
      (socket: Socket) =>
        socket.write(
          message(3, JSON.stringify({ status: 'Failure', reason: 'InternalError', message: 'no such file' })),
        ),
      'no such file',
    ],
  ])('%s is an error', async (_, serve, words) => {
    await expect(run(serve)).rejects.toThrow(words);
  });
});

test('a refusal is the error of the server', async () => {
  await using server = await startApiServer((_, response) =>
    response.writeHead(403).end('{"kind":"Status","message":"pods/exec is forbidden"}'),
  );
  await using upstream = PatientUpstream.to({ url: server.url, tls: {} });
  const streams = { stdin: undefined, stdout: () => {}, stderr: () => {} };
  await expect(execute(upstream, { path: '/exec', signal: new AbortController().signal }, streams)).rejects.toThrow(
    'pods/exec is forbidden',
  );
});

describe('frames', () => {
  test('come in any pieces', () => {
    const bytes = Buffer.concat([serverFrame(2, Buffer.alloc(300, 'a')), serverFrame(1, Buffer.from('b'))]);
    const reader = new FrameReader();
    const frames = [...bytes].flatMap((byte) => [...reader.take(Buffer.of(byte))]);
    expect(frames.map(({ opcode, payload }) => [opcode, payload.length])).toEqual([
      [2, 300],
      [1, 1],
    ]);
  });

  test('that are masked, or too large, are refused', () => {
    expect(() => [...new FrameReader().take(maskedFrame(2, Buffer.from('x')))]).toThrow('does not speak WebSocket');
    const large = Buffer.concat([Buffer.of(0x82, 127), Buffer.alloc(8, 1)]);
    expect(() => [...new FrameReader().take(large)]).toThrow('a frame of');
  });
});
