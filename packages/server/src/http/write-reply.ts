/** Writes replies: bytes with backpressure. A body that breaks off aborts the response, so that it never looks complete. */

import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Duplex, Writable } from 'node:stream';
import { giveBack } from '@fleet/client/chunk-memory.ts';
import type { Incoming, PlainReply, PushedBody, UpgradedReply } from './message.ts';
import { isPushed, sinkOf } from './sink.ts';
import { times } from './slow-clients.ts';

type Response = ServerResponse | Http2ServerResponse;

type Asked = Pick<Incoming, 'signal' | 'traffic'>;

/** In bytes per write: so a slow client can be distinguished from one that reads nothing. */
const sliceSize = 256 * 1024;

export async function writeReply(
  response: Response,
  reply: PlainReply,
  { signal, traffic }: Asked,
  { stalledTimeout } = times,
): Promise<void> {
  const { body } = reply;
  if (signal.aborted) return discard(body);
  const writable = writeHead(response, reply);
  if (hasNoBody(response, reply)) {
    writable.end();
    return discard(body);
  }
  if (body === undefined || Buffer.isBuffer(body)) {
    traffic.sent += body?.length ?? 0;
    writable.end(body);
    return;
  }
  const sink = isPushed(body) ? sinkOf(response, traffic) : undefined;
  try {
    if (sink) {
      await (body as PushedBody).pushInto(sink);
      if (!signal.aborted) writable.end();
      return;
    }
    const drained = async () => {
      const stalled = reply.mustMove && setInterval(() => reply.mustMove?.() && abort(response), stalledTimeout);
      try {
        await once(writable, 'drain', { signal });
      } finally {
        clearInterval(stalled);
      }
    };
    for await (const chunk of body) {
      traffic.sent += chunk.length;
      const written = (error?: Error | null) => {
        if (!error) giveBack(chunk);
      };
      let at = 0;
      for (; chunk.length - at > sliceSize; at += sliceSize) {
        if (!writable.write(chunk.subarray(at, at + sliceSize))) await drained();
      }
      if (!writable.write(chunk.subarray(at), written)) await drained();
    }
    writable.end();
  } catch (error) {
    // Checked first: aborting the response aborts the signal, too.
    const clientLeft = signal.aborted;
    abort(response);
    if (!clientLeft) throw error;
  }
}

/** An HTTP/2 stream with such a status ends with its head: writing to it afterwards would break it. */
const hasNoBody = (response: Response, { status }: PlainReply): boolean =>
  status === 204 || status === 304 || response.req.method === 'HEAD';

/** The head is sent at once: a client must see a watch as open before its first event. */
function writeHead(response: Response, { status, headers, body }: PlainReply): Writable {
  const defined = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  if (Buffer.isBuffer(body)) defined['content-length'] = String(body.length);
  if ('stream' in response) {
    response.stream.respond({ ...defined, ':status': status });
    return response.stream;
  }
  response.writeHead(status, STATUS_CODES[status] ?? '', defined as Record<string, string | string[]>);
  if (body !== undefined && !Buffer.isBuffer(body)) response.flushHeaders();
  return response;
}

async function discard(body: PlainReply['body']): Promise<void> {
  if (body === undefined || Buffer.isBuffer(body)) return;
  await body[Symbol.asyncIterator]().return?.();
}

/** `close` would end an HTTP/2 stream normally, and the client would take a partial body for a whole one. */
export function abort(response: Response): void {
  if ('stream' in response) response.stream.destroy(new Error('the body broke off'));
  else response.socket?.destroy();
}

/** In milliseconds: how long one half stays open after the other has ended. kube-apiserver closes both at once. */
const otherHalf = 30_000;

/** Connects the client's socket with the member's: bytes in both directions, including half-close. */
export function joinStreams(
  socket: Duplex,
  reply: UpgradedReply,
  head: Buffer,
  traffic: Incoming['traffic'],
): Promise<void> {
  const lines = [`HTTP/1.1 ${reply.status} ${reply.statusText}`];
  for (const [name, value] of Object.entries(reply.headers)) {
    for (const one of [value ?? []].flat()) lines.push(`${name}: ${one}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (reply.head.length > 0) socket.write(reply.head);
  traffic.sent += reply.head.length;
  reply.stream.on('data', (chunk: Buffer) => {
    traffic.sent += chunk.length;
  });
  if (head.length > 0) reply.stream.write(head);
  return new Promise((resolve) => {
    const ends = [socket, reply.stream];
    let closed = 0;
    const timers: NodeJS.Timeout[] = [];
    const destroy = () => {
      for (const end of ends) end.destroy();
    };
    for (const [from, to] of [ends, ends.toReversed()] as [Duplex, Duplex][]) {
      from.pipe(to);
      from.once('end', () => timers.push(setTimeout(destroy, otherHalf)));
      // If one side fails, the other is destroyed; if it ends, pipe ends the other.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        if (!from.readableEnded || to.writableFinished) to.destroy();
        // Nobody reads `to` any more, but what was written to it is still delivered.
        else to.once('finish', () => to.destroy());
        if (++closed < 2) return;
        for (const timer of timers) clearTimeout(timer);
        resolve();
      });
    }
  });
}
