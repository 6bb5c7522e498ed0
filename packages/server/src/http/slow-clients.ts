/** Limits for clients: the size of their headers, and timeouts (LIMIT-1). */

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import { StatusError } from '@fleet/kube/status.ts';
import { unknownEncoding } from './strict-head.ts';

/** In bytes: a URL of 64 KiB and a token. HTTP/2 itself accepts no single header above 64 KiB. */
const headerBytes = 128 * 1024;

export const sizes = {
  maxHeaderSize: headerBytes,
  maxHeaderListPairs: 500,
  settings: { maxHeaderListSize: headerBytes, maxConcurrentStreams: 1000, initialWindowSize: 1024 * 1024 },
};

/** As in kube-apiserver: 32 s for a request's head, 90 s for an idle connection. Bodies have no limit while they make progress. */
export const times = {
  handshakeTimeout: 10_000,
  headersTimeout: 30_000,
  requestTimeout: 0,
  keepAliveTimeout: 90_000,
  connectionsCheckingInterval: 5_000,
  /** For reading the rest of a stream that the server has ended. */
  endedTimeout: 60_000,
  /** For reading the next 256 KiB of an answer whose memory other requests wait for. */
  stalledTimeout: 60_000,
};

interface ParserError extends NodeJS.ErrnoException {
  reason?: string;
}

/** A Content-Length beside chunked encoding has the same code as an unknown encoding, but is an attempt at request smuggling. */
const isUnknownEncoding = ({ code, reason = '' }: ParserError): boolean =>
  code === 'HPE_INVALID_TRANSFER_ENCODING' && !reason.includes('Content-Length');

const malformed = new StatusError(400, 'BadRequest', 'the request is malformed');

const refusalOf = (error: ParserError): StatusError =>
  isUnknownEncoding(error) ? unknownEncoding : (refusals[error.code ?? ''] ?? malformed);

/** The answer to a request that the parser rejected. */
const refusals: Partial<Record<string, StatusError>> = {
  HPE_HEADER_OVERFLOW: new StatusError(
    431,
    'RequestHeaderFieldsTooLarge',
    `Request headers too large: limit is ${headerBytes}`,
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new StatusError(408, 'Timeout', 'the request was not received in time'),
};

/** The answer that Node is writing on a connection. */
interface Answering {
  _httpMessage?: ServerResponse | null;
}

/** Answers HTTP/1.1 requests that the parser rejected, then closes the connection. */
export function refuseBadClients(server: Http2SecureServer): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    // The parser reports the bytes that follow as another error.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { _httpMessage: answer } = socket as Duplex & Answering;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // The error is about the next request: the previous answer is completed first, or the client would mistake this one for it.
    else if (answer?.req.complete) answer.once('finish', () => refuse(socket, refusalOf(error)));
    // Another answer cannot be written in the middle of one.
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
  // Time to read it: an immediate reset would discard it.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** Also closes idle HTTP/2 connections. One with a watch is never idle. */
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
