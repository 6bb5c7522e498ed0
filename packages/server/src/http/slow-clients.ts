/** What a client may take before it is served: bytes of its headers, and time (LIMIT-1). */

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import { StatusError } from '@fleet/kube/status.ts';
import { unknownEncoding } from './strict-head.ts';

/** A URL of 64 KiB and a token beside it. HTTP/2 itself takes no single header above 64 KiB. */
const headerBytes = 128 * 1024;

export const sizes = {
  maxHeaderSize: headerBytes,
  maxHeaderListPairs: 500,
  settings: { maxHeaderListSize: headerBytes, maxConcurrentStreams: 1000, initialWindowSize: 1024 * 1024 },
};

/** As kube-apiserver: 32 s for a request's head there, 90 s for a quiet connection. Bodies may take as long as they move. */
export const times = {
  handshakeTimeout: 10_000,
  headersTimeout: 30_000,
  requestTimeout: 0,
  keepAliveTimeout: 90_000,
  connectionsCheckingInterval: 5_000,
  /** For the rest of a stream that we have ended. */
  endedTimeout: 60_000,
  /** For the next 256 KiB of an answer that holds memory which others wait for. */
  stalledTimeout: 60_000,
};

interface ParserError extends NodeJS.ErrnoException {
  reason?: string;
}

/** A length beside chunks has the same code, but is no encoding that we do not know: who is served by it is up to no good. */
const isUnknownEncoding = ({ code, reason = '' }: ParserError): boolean =>
  code === 'HPE_INVALID_TRANSFER_ENCODING' && !reason.includes('Content-Length');

const malformed = new StatusError(400, 'BadRequest', 'the request cannot be read');

const refusalOf = (error: ParserError): StatusError =>
  isUnknownEncoding(error) ? unknownEncoding : (refusals[error.code ?? ''] ?? malformed);

/** What is wrong with a request that the parser gave up. */
const refusals: Partial<Record<string, StatusError>> = {
  HPE_HEADER_OVERFLOW: new StatusError(
    431,
    'RequestHeaderFieldsTooLarge',
    `Request headers too large: limit is ${headerBytes}`,
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new StatusError(408, 'Timeout', 'the request did not come in time'),
};

/** The answer that Node is about to give on a connection. */
interface Answering {
  _httpMessage?: ServerResponse | null;
}

/** Requests of HTTP/1.1 that never became one: answered by hand, then gone. */
export function refuseBadClients(server: Http2SecureServer): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    // The parser complains again about what comes behind.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { _httpMessage: answer } = socket as Duplex & Answering;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // It is about the next request: the one before has its answer first, as ours would be taken for that.
    else if (answer?.req.complete) answer.once('finish', () => refuse(socket, refusalOf(error)));
    // In the middle of an answer there is no place for another.
    else if (answer?.headersSent) socket.destroy();
    else refuse(socket, refusalOf(error));
  });
  server.on('tlsClientError', () => {});
}

function refuse(socket: Duplex, refusal: StatusError): void {
  if (!socket.writable) return;
  const body = `${JSON.stringify(refusal.toStatus())}\n`;
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Time to read it: a reset right behind would take it away.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** Quiet connections of HTTP/2 go, too; those with a watch are not quiet, whatever comes on it. */
export function closeIdleSessions(server: Http2SecureServer, after: number): void {
  server.on('session', (session) => {
    let open = 0;
    session.on('stream', (stream) => {
      open++;
      stream.once('close', () => open--);
    });
    session.setTimeout(after, () => {
      if (open === 0) session.close();
    });
  });
}
