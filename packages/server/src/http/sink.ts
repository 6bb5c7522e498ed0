/** The sink of a pushed body: writes to an open answer without a promise per chunk. */

import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Writable } from 'node:stream';
import type { Incoming, PlainReply, PushedBody, Sink } from './message.ts';

export const isPushed = (body: PlainReply['body']): body is PushedBody =>
  body !== undefined && !Buffer.isBuffer(body) && 'pushInto' in body;

/** For an answer whose head was sent. Undefined if chunks can only be framed by Node. */
export function sinkOf(response: ServerResponse | Http2ServerResponse, traffic: Incoming['traffic']): Sink | undefined {
  if ('stream' in response) return into(response.stream, traffic, (chunk) => chunk);
  // No socket yet: the previous answer on the connection is not complete. No chunks: HTTP/1.0.
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

/** Framed as a chunk of HTTP/1.1. The same bytes are sent to many clients, one after the other. */
function framed(chunk: Buffer): Buffer {
  if (last?.chunk !== chunk) {
    const size = Buffer.from(`${chunk.length.toString(16)}\r\n`, 'latin1');
    last = { chunk, framed: Buffer.concat([size, chunk, lineEnd]) };
  }
  return last.framed;
}

const lineEnd = Buffer.from('\r\n');
