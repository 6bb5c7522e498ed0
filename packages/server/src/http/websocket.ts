/** A stream of lines as a WebSocket, one message a line: how browsers watch (WATCH-9, RFC 6455). */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Duplex, PassThrough, Readable, Writable } from 'node:stream';
import { badRequest } from '@fleet/kube/status.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import type { Incoming, PlainReply, Reply } from './message.ts';
import { ClientFrames, frame, opcodes } from './websocket-frames.ts';

const acceptSalt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Errors stay plain answers: the client has not changed protocols yet. */
export function asWebSocket(reply: PlainReply, { headers }: Pick<Incoming, 'headers'>): Reply {
  const { status, body, over } = reply;
  if (status !== 200 || body === undefined) return reply;
  const protocol = headers['sec-websocket-protocol'];
  return {
    is: 'upgraded',
    status: 101,
    statusText: 'Switching Protocols',
    headers: {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-accept': acceptOf(headers),
      ...(protocol === undefined ? {} : { 'sec-websocket-protocol': protocol }),
    },
    stream: streamOf(Buffer.isBuffer(body) ? Readable.from([body]) : body),
    head: Buffer.alloc(0),
    ...(over && { over }),
  };
}

function acceptOf(headers: Incoming['headers']): string {
  const { upgrade, 'sec-websocket-key': key, 'sec-websocket-version': version } = headers;
  if (String(upgrade).toLowerCase() !== 'websocket' || typeof key !== 'string' || version !== '13') {
    throw badRequest('not a WebSocket request of version 13');
  }
  const protocols = [headers['sec-websocket-protocol'] ?? []].flat().flatMap((line) => line.split(','));
  if (protocols.length > 1) throw badRequest('one WebSocket protocol at most can be asked for');
  return createHash('sha1')
    .update(key + acceptSalt)
    .digest('base64');
}

function streamOf(body: AsyncIterable<Buffer>): Duplex {
  const out = new PassThrough();
  const lines = body[Symbol.asyncIterator]();
  const end = () => {
    out.end(frame(opcodes.close, closedNormally));
    Promise.resolve(lines.return?.()).catch(() => {});
  };
  send(lines, out)
    .then(end)
    .catch((error: unknown) => out.destroy(error as Error));
  const frames = new ClientFrames({
    ping: (payload) => out.write(frame(opcodes.pong, payload)),
    close: end,
    broken: () => out.destroy(),
  });
  const heard = new Writable({
    write(chunk: Buffer, _, done) {
      frames.take(chunk);
      done();
    },
  });
  out.once('close', () => Promise.resolve(lines.return?.()).catch(() => {}));
  // Node joins its own streams, too; the types know only those of the web here.
  return Duplex.from({ readable: out, writable: heard } as unknown as Iterable<Buffer>);
}

const closedNormally = Buffer.from([1000 >> 8, 1000 & 0xff]);

async function send(lines: AsyncIterator<Buffer>, out: PassThrough): Promise<void> {
  const body = { [Symbol.asyncIterator]: () => lines };
  for await (const line of watchLines(body)) {
    if (out.writableEnded || out.destroyed) return;
    if (!out.write(frame(opcodes.text, Buffer.concat([line, newline])))) await once(out, 'drain');
  }
}

const newline = Buffer.from('\n');
