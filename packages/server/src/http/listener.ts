/** Listens on the one TLS port: HTTP/2 and HTTP/1.1 by ALPN, and upgrades on HTTP/1.1. */

import { randomUUID, type X509Certificate } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import type { Headers } from '@fleet/client/upstream.ts';
import { endConnection } from '@fleet/kube/end-connection.ts';
import { type AcceptAgent, acceptWebSocket, isAgentRequest, takeSsh } from './agent-connections.ts';
import { errorReply } from './boundary.ts';
import { cannotListen } from './cannot-listen.ts';
import { continueInTurn } from './continue.ts';
import { cutOffLate } from './last-call.ts';
import type { Handler, Incoming, PlainReply } from './message.ts';
import { OpenSockets } from './open-sockets.ts';
import { closeIdleSessions, refuseBadClients, sizes, times } from './slow-clients.ts';
import { refusedHead } from './strict-head.ts';
import { boundUnreadBody, endWithUnreadBody } from './unread-body.ts';
import { abort, joinStreams, writeReply } from './write-reply.ts';

export interface Credentials {
  cert: string;
  key: string;
  /** The CAs of client certificates. */
  clientCas: string[];
}

export interface ListenerOptions extends Credentials {
  host: string;
  port: number;
  handler: Handler;
  /** Takes connections of agents, which dial the same port (AGENT-2). Undefined: they are refused. */
  acceptAgent?: AcceptAgent | undefined;
  /** Overrides the timeouts for slow clients. */
  patience?: Partial<typeof times>;
  onError: (error: unknown) => void;
}

export interface Listener {
  address: AddressInfo;
  server: Http2SecureServer;
  /** For new connections. Open ones are not affected. */
  present(credentials: Credentials): void;
  /** Stops accepting. Requests in flight have `grace` milliseconds to finish. */
  close(grace: number): Promise<void>;
}

export async function listen(options: ListenerOptions): Promise<Listener> {
  const patience = { ...times, ...options.patience };
  const server = createSecureServer({
    ...contextOf(options),
    allowHTTP1: true,
    requestCert: true,
    // A client without a certificate may have a token: authentication happens per request.
    rejectUnauthorized: false,
    ...sizes,
    ...patience,
  });
  const { acceptAgent } = options;
  const sockets = new OpenSockets(server);
  const agents = acceptAgent && takeSsh(server, acceptAgent, patience.handshakeTimeout);
  refuseBadClients(server);
  closeIdleSessions(server, patience.keepAliveTimeout);
  const underWay = new Set<AbortController>();
  const begin = () => {
    const gone = new AbortController();
    underWay.add(gone);
    return gone;
  };
  const end = (gone: AbortController) => {
    underWay.delete(gone);
    gone.abort(clientGone);
  };
  server.on('secureConnection', (socket: TLSSocket) => socket.setNoDelay(true));
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  let closing = false;
  const serve = async (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ) => {
    const gone = begin();
    if (request instanceof IncomingMessage) boundUnreadBody(request, response as ServerResponse);
    // Node 24 keeps an aborted stream open if it has bytes to send, and reports it only by this event.
    if (request instanceof Http2ServerRequest) request.stream.once('aborted', () => end(gone));
    response.once('close', () => {
      end(gone);
      // The connection becomes idle a moment later.
      if (closing) setImmediate(() => closeIdle(server));
    });
    const incoming = incomingOf(request, gone.signal, false);
    const reply = refusalOf(request, incoming) ?? (await options.handler(incoming));
    if (reply.is === 'upgraded') throw new Error('an upgraded reply to a request that asked for none');
    const { over } = reply;
    if (over) cutOffLate({ over, answer: response, cutOff: () => abort(response) }, patience.endedTimeout);
    if (request instanceof IncomingMessage) endWithUnreadBody(request, response as ServerResponse);
    await writeReply(response, reply, incoming, patience);
  };
  continueInTurn(server);
  server.on('request', (request, response) => {
    serve(request, response).catch(options.onError);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const gone = begin();
    if (acceptAgent && isAgentRequest(request) && !refusedHead(request.httpVersion, headersOf(request.rawHeaders))) {
      end(gone);
      socket.on('error', () => socket.destroy());
      if (acceptWebSocket(request, socket, head, acceptAgent)) sockets.leave(socket);
      return;
    }
    socket.once('close', () => end(gone));
    const handler: Handler = async (incoming) => {
      const reply = await options.handler(incoming);
      const { over } = reply;
      if (over) cutOffLate({ over, answer: socket, cutOff: () => socket.destroy() }, patience.endedTimeout);
      return reply;
    };
    upgrade(request, socket, head, handler, gone.signal).catch((error: unknown) => {
      socket.destroy();
      options.onError(error);
    });
  });
  server.on('sessionError', options.onError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(options, error)));
    server.listen(options.port, options.host, resolve);
  });
  server.on('error', options.onError);
  return {
    address: server.address() as AddressInfo,
    server,
    present: (credentials) => server.setSecureContext(contextOf(credentials)),
    async close(grace) {
      closing = true;
      // Waits for the last connection: those of agents are closed when no request uses them any more.
      server.close();
      agents?.close();
      // Clients keep connections open for long. Idle ones are closed at once.
      closeIdle(server);
      for (const session of sessions) session.close();
      const timer = setTimeout(() => {
        for (const gone of underWay) gone.abort(new Error('the server is shutting down'));
        sockets.destroy();
      }, grace);
      await sockets.gone();
      clearTimeout(timer);
    },
  };
}

/** One error for all: every request ends with it, and each would capture a stack that nobody reads. */
const clientGone = new Error('the client has disconnected');

const contextOf = ({ cert, key, clientCas }: Credentials): SecureContextOptions => ({
  cert,
  key,
  ca: clientCas,
  minVersion: 'TLSv1.2',
});

/** Exists since servers accept HTTP/1.1 beside HTTP/2, but is missing in the types. */
const closeIdle = (server: Http2SecureServer): void =>
  (server as Http2SecureServer & { closeIdleConnections(): void }).closeIdleConnections();

async function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  handler: Handler,
  signal: AbortSignal,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const incoming = incomingOf(request, signal, true);
  const reply = refusalOf(request, incoming) ?? (await handler(incoming));
  if (reply.is === 'upgraded') {
    // A client may half-close its side and still read.
    socket.allowHalfOpen = true;
    if (socket.destroyed) reply.stream.destroy();
    else await joinStreams(socket, reply, head, incoming.traffic);
    return;
  }
  const response = new ServerResponse(request);
  response.assignSocket(socket as Socket);
  response.shouldKeepAlive = false;
  // No other code reads or ends the socket: a client that keeps its half open would hold it for ever (LIMIT-1).
  response.once('finish', () => endConnection(socket));
  await writeReply(response, reply, incoming);
}

/** The connection ends with this answer: what follows such a head cannot be parsed safely. */
function refusalOf(request: IncomingMessage | Http2ServerRequest, { headers }: Incoming): PlainReply | undefined {
  const refused = request instanceof Http2ServerRequest ? undefined : refusedHead(request.httpVersion, headers);
  if (!refused) return undefined;
  const reply = errorReply(refused, headers);
  return { ...reply, headers: { ...reply.headers, connection: 'close' } };
}

const hasBody = (request: IncomingMessage | Http2ServerRequest): boolean =>
  request instanceof Http2ServerRequest
    ? !request.stream.endAfterHeaders
    : request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Repeated headers stay separate: Node would join them with commas, which a group's name may contain. */
function headersOf(raw: readonly string[]): Headers {
  const headers: Headers = Object.create(null);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    const value = raw[i + 1]!;
    const known = headers[name];
    headers[name] = known === undefined ? value : [...[known].flat(), value];
  }
  return headers;
}

/** A client may choose the audit id, as with kube-apiserver, within limits. */
const requestId = (given: Headers[string]): string =>
  typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();

const certificates = new WeakMap<TLSSocket, { shown: X509Certificate | undefined }>();

/** Read once per connection: reading it took a fifteenth of a small request's time. */
function certificateOf(socket: TLSSocket): X509Certificate | undefined {
  const known = certificates.get(socket) ?? { shown: socket.getPeerX509Certificate() };
  certificates.set(socket, known);
  return known.shown;
}

function incomingOf(request: IncomingMessage | Http2ServerRequest, signal: AbortSignal, isUpgrade: boolean): Incoming {
  const socket = (request instanceof Http2ServerRequest ? request.stream.session?.socket : request.socket) as
    | TLSSocket
    | undefined;
  const shown = socket && certificateOf(socket);
  const headers = headersOf(request.rawHeaders);
  // Sent on, so that members write the same id into their audit logs.
  headers['audit-id'] = requestId(headers['audit-id']);
  return {
    id: headers['audit-id'],
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers,
    body: hasBody(request) ? request : undefined,
    upgrade: isUpgrade,
    certificate: socket?.authorized ? shown : undefined,
    untrustedCertificate: shown !== undefined && !socket?.authorized,
    remoteAddress: socket?.remoteAddress ?? '',
    traffic: { sent: 0 },
    signal,
  };
}
