/** A hook on loopback, over HTTPS as in earnest, that a test answers by hand. */

import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type ServerCertificate, selfSigned } from './certificates.ts';

export interface HookServer extends AsyncDisposable {
  /** Without a path. */
  url: string;
  /** PEM: the CA of its certificate. */
  ca: string;
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Connections that were made so far, and those that are open. */
  connections: number;
  sockets: Set<Socket>;
}

let shared: ServerCertificate | undefined;

export async function startHookServer(
  answer: (body: string, response: ServerResponse, request: IncomingMessage) => void,
  names?: readonly string[],
): Promise<HookServer> {
  shared ??= selfSigned(['localhost', '127.0.0.1']);
  const tls = names ? selfSigned(names) : shared;
  const sockets = new Set<Socket>();
  const state: HookServer = {
    url: '',
    ca: tls.cert,
    requests: [],
    connections: 0,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  const listener: RequestListener = async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString();
    state.requests.push({ path: request.url ?? '', headers: request.headers, body });
    answer(body, response, request);
  };
  const server = createServer(tls, (request, response) => {
    Promise.resolve(listener(request, response)).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    state.connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
