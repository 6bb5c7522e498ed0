/** Where a pushed body goes: an answer under way, written to without a promise for every chunk. */

import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Writable } from 'node:stream';
import type { Incoming, PlainReply, PushedBody, Sink } from './message.ts';

export const isPushed = (body: PlainReply['body']): body is PushedBody =>
  body !== undefined && !Buffer.isBuffer(body) && 'pushInto' in body;

/** For an answer whose head has gone out; undefined where chunks cannot be told from one another without Node's help. */
export function sinkOf(response: ServerResponse | Http2ServerResponse, traffic: Incoming['traffic']): Sink | undefined {
  if ('stream' in response) return into(response.stream, traffic, (chunk) => chunk);
  // No connection yet: an answer to an earlier request is still under way. No chunks: HTTP/1.0.
  const { socket, chunkedEncoding } = response;
  return socket && chunkedEncoding ? into(socket, traffic, framed) : undefined;
}

const into = (stream: Writable, traffic: Incoming['traffic'], frame: (chunk: Buffer) => Buffer): Sink => ({
  write(chunk) {
    traffic.sent += chunk.length;
    return stream.write(frame(chunk));
  },
  get unsent() {
    return stream.writableLength;
  },
  onDrain(listener) {
    stream.on('drain', listener);
    return { [Symbol.dispose]: () => void stream.off('drain', listener) };
  },
});

let last: { chunk: Buffer; framed: Buffer } | undefined;

/** As a chunk of HTTP/1.1. The same bytes go to many, one after the other. */
function framed(chunk: Buffer): Buffer {
  if (last?.chunk !== chunk) {
    const size = Buffer.from(`${chunk.length.toString(16)}\r\n`, 'latin1');
    last = { chunk, framed: Buffer.concat([size, chunk, lineEnd]) };
  }
  return last.framed;
}

const lineEnd = Buffer.from('\r\n');
