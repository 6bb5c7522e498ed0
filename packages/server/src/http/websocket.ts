/** A stream of lines as a WebSocket, one message a line: how browsers watch (WATCH-9, RFC 6455). */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Duplex, PassThrough, Readable, Writable } from 'node:stream';
import type { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { protocolsOf } from './bearer-protocol.ts';
import type { Incoming, PlainReply, Reply } from './message.ts';
import { times } from './slow-clients.ts';
import { ClientFrames, frame, opcodes } from './websocket-frames.ts';

const acceptSalt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Errors stay plain answers: the client has not changed protocols yet. */
export function asWebSocket(reply: PlainReply, { headers }: Pick<Incoming, 'headers'>): Reply {
  const { status, body, over, memory, mustMove = () => memory?.isHeld ?? false } = reply;
  if (status !== 200 || body === undefined) return reply;
  const [protocol] = protocolsOf(headers);
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
    stream: streamOf(Buffer.isBuffer(body) ? Readable.from([body]) : body, memory, mustMove),
    head: Buffer.alloc(0),
    ...(over && { over }),
  };
}

function acceptOf(headers: Incoming['headers']): string {
  const { upgrade, 'sec-websocket-key': key, 'sec-websocket-version': version } = headers;
  if (String(upgrade).toLowerCase() !== 'websocket' || typeof key !== 'string' || version !== '13') {
    throw badRequest('not a WebSocket request of version 13');
  }
  // As golang.org/x/net/websocket, which serves kube-apiserver's watches.
  if (protocolsOf(headers).length > 1) throw badRequest('one WebSocket protocol at most can be asked for');
  return createHash('sha1')
    .update(key + acceptSalt)
    .digest('base64');
}

/** Small: a pong of two bytes takes a hundred of memory. */
const highWaterMark = 8 * 1024;

function streamOf(body: AsyncIterable<Buffer>, memory: AnswerMemory | undefined, mustMove: () => boolean): Duplex {
  const out = new PassThrough({ highWaterMark });
  const lines = body[Symbol.asyncIterator]();
  const end = () => {
    if (!out.writableEnded) out.end(frame(opcodes.close, closedNormally));
    Promise.resolve(lines.return?.()).catch(() => {});
  };
  send(lines, out, memory, mustMove)
    .then(end)
    .catch((error: unknown) => out.destroy(error as Error));
  const frames = new ClientFrames({
    ping: pongTo(out),
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

/** To a client that does not read, one pong is owed, to its last ping (RFC 6455, 5.5.3): nothing piles up (SEC-2). */
function pongTo(out: PassThrough): (payload: Buffer) => void {
  let owed: Buffer | undefined;
  const send = () => {
    if (owed && !out.writableEnded) out.write(frame(opcodes.pong, owed));
    owed = undefined;
  };
  out.on('drain', send);
  return (payload) => {
    owed = payload;
    if (!out.writableNeedDrain) send();
  };
}

const closedNormally = Buffer.from([1000 >> 8, 1000 & 0xff]);

async function send(
  lines: AsyncIterator<Buffer>,
  out: PassThrough,
  memory: AnswerMemory | undefined,
  mustMove: () => boolean,
): Promise<void> {
  const body = { [Symbol.asyncIterator]: () => lines };
  for await (const line of watchLines(body, memory)) {
    if (out.writableEnded || out.destroyed) return;
    if (out.write(frame(opcodes.text, Buffer.concat([line, newline])))) continue;
    const stalled = setInterval(() => mustMove() && out.destroy(), times.stalledTimeout);
    try {
      await once(out, 'drain');
    } finally {
      clearInterval(stalled);
    }
  }
}

const newline = Buffer.from('\n');
