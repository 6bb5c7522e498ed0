/** Sends a stream of lines as a WebSocket, one message per line, as browsers watch (WATCH-9, RFC 6455). */

import { once } from 'node:events';
import { Duplex, PassThrough, Readable, Writable } from 'node:stream';
import type { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { ClientFrames, closedNormally, frame, opcodes } from '@fleet/kube/websocket/frames.ts';
import { handshakeHeaders } from '@fleet/kube/websocket/handshake.ts';
import { protocolsOf } from '@fleet/kube/websocket/protocols.ts';
import type { Incoming, PlainReply, Reply } from './message.ts';
import { times } from './slow-clients.ts';

/** Errors stay plain answers: the protocol has not been switched yet. */
export function asWebSocket(reply: PlainReply, { headers }: Pick<Incoming, 'headers'>): Reply {
  const { status, body, over, memory, mustMove = () => memory?.isHeld ?? false } = reply;
  if (status !== 200 || body === undefined) return reply;
  const [protocol, ...others] = protocolsOf(headers);
  const agreed = handshakeHeaders(headers, protocol);
  // As in golang.org/x/net/websocket, which serves kube-apiserver's watches.
  if (others.length > 0) throw badRequest('at most one WebSocket protocol can be requested');
  return {
    is: 'upgraded',
    status: 101,
    statusText: 'Switching Protocols',
    headers: agreed,
    stream: streamOf(Buffer.isBuffer(body) ? Readable.from([body]) : body, memory, mustMove),
    head: Buffer.alloc(0),
    ...(over && { over }),
  };
}

/** Small: a pong of two bytes takes a hundred bytes of memory. */
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
      const take = (some: Buffer): void => {
        const rest = frames.take(some);
        if (rest.length > 0) setImmediate(take, rest);
        else done();
      };
      take(chunk);
    },
  });
  out.once('close', () => Promise.resolve(lines.return?.()).catch(() => {}));
  // Node can compose its own streams as well; the types only know web streams here.
  return Duplex.from({ readable: out, writable: heard } as unknown as Iterable<Buffer>);
}

/** A client that does not read gets one pong, to its last ping (RFC 6455, 5.5.3), so that none accumulate (SEC-2). */
function pongTo(out: PassThrough): (payload: Buffer) => void {
  let pending: Buffer | undefined;
  const send = () => {
    if (pending && !out.writableEnded) out.write(frame(opcodes.pong, pending));
    pending = undefined;
  };
  out.on('drain', send);
  return (payload) => {
    pending = payload;
    if (!out.writableNeedDrain) send();
  };
}

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
