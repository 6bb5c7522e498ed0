/** Serves the handler on an HTTP/1.1 port of loopback, plain or with TLS: for simulated members and tests. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { requestTooLarge, type StatusError } from '@fleet/kube/status.ts';
import { certificateUser } from '../authn/certificate-user.ts';
import type { User } from '../authn/user.ts';
import { isConnectedUrl } from './connected.ts';
import type { ApiHandler, ApiReply } from './message.ts';
import { jsonReply } from './message.ts';
import { serveUpgrade } from './upgrade.ts';

/** The limit of kube-apiserver. */
const bodyLimit = 3 * 1024 * 1024;

/** In milliseconds, as in kube-apiserver: a client that reuses a connection should not find it closing. */
const idleConnections = 90_000;

async function readBody(incoming: IncomingMessage): Promise<Buffer | StatusError> {
  // A client may send single bytes (SEC-2).
  const bytes = new GrowingBytes(bodyLimit);
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (bytes.length + chunk.length > bodyLimit) return requestTooLarge(bodyLimit);
    bytes.append(chunk);
  }
  return bytes.take();
}

/** Closes the connection, as the unread rest of the body would precede the next request. */
const unread = (reply: ApiReply): ApiReply => ({ ...reply, headers: { ...reply.headers, connection: 'close' } });

async function answer(
  handler: ApiHandler,
  incoming: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  caller: User | undefined,
): Promise<ApiReply> {
  const body = await readBody(incoming);
  if (!Buffer.isBuffer(body)) return unread(jsonReply(body.code, body.toStatus()));
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method = 'GET', url = '/' } = incoming;
  return handler({
    method,
    url,
    headers: headersOf(incoming),
    body,
    caller,
    signal: AbortSignal.any([gone.signal, signal]),
  });
}

async function write(response: ServerResponse, { status, headers, body }: ApiReply): Promise<void> {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  response.writeHead(status, Object.fromEntries(given));
  if (Buffer.isBuffer(body)) {
    response.end(body);
    return;
  }
  // Headers of a watch are sent before its first event.
  response.flushHeaders();
  await pipeline(body, response);
}

export interface Listener extends AsyncDisposable {
  port: number;
}

export type ListenOptions = { port?: number } & (
  | {
      /** The user of all requests, for a plain port without authentication. Without it requests are authenticated. */
      as?: User;
    }
  | {
      /** PEM; client certificates of that CA are accepted. */
      tls: { cert: string; key: string; clientCa: string };
    }
);

/** Node joins repeated headers into one text; those for authentication and impersonation must stay separate. */
const repeatable = ({ headersDistinct }: IncomingMessage): Record<string, string[] | undefined> =>
  Object.fromEntries(Object.entries(headersDistinct).filter(([name]) => name.startsWith('impersonate-')));

const headersOf = (incoming: IncomingMessage) => ({ ...incoming.headers, ...repeatable(incoming) });

/** From the certificate, if TLS has verified it. */
function certified({ socket }: IncomingMessage): User | undefined {
  const certificate = socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined;
  return certificate && certificateUser(certificate);
}

const tlsOptions = ({ cert, key, clientCa }: { cert: string; key: string; clientCa: string }) => ({
  cert,
  key,
  ca: clientCa,
  requestCert: true,
  // A client without a certificate may have a token.
  rejectUnauthorized: false,
});

export async function listen(handler: ApiHandler, options: ListenOptions = {}): Promise<Listener> {
  const ending = new AbortController();
  const callerOf = 'tls' in options ? certified : () => options.as;
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    answer(handler, incoming, response, ending.signal, callerOf(incoming))
      .then((reply) => {
        // Otherwise a client that keeps sending requests would keep its connection, and so the server, open.
        if (ending.signal.aborted) response.shouldKeepAlive = false;
        return write(response, reply);
      })
      // The client is gone, or the response failed: it must not look complete.
      .catch(() => response.destroy());
  };
  // For other paths an upgrade offer is ignored.
  const upgrading = { shouldUpgradeCallback: ({ url = '' }: IncomingMessage) => isConnectedUrl(url) };
  const server =
    'tls' in options
      ? createTlsServer({ ...tlsOptions(options.tls), ...upgrading }, listener)
      : createServer(upgrading, listener);
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const request = { headers: headersOf(incoming), caller: callerOf(incoming) };
    serveUpgrade(handler, { incoming, socket, head, request, signal: ending.signal, write }).catch(() =>
      socket.destroy(),
    );
  });
  server.keepAliveTimeout = idleConnections;
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      ending.abort();
      server.closeIdleConnections();
      await closed;
    },
  };
}
