/** A TLS front on loopback, as between agents and the fleet: it supports HTTP requests and WebSockets, and no SSH. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createCa, issueServing, type KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { handshakeHeaders } from '@fleet/kube/websocket/handshake.ts';
import { webSocketTunnel } from '@fleet/kube/websocket/tunnel.ts';
import type { TunnelServer } from '@fleet/tunnel/tunnel-server.ts';

export interface WebSocketFront extends AsyncDisposable {
  port: number;
  /** Of its certificate, for localhost. */
  ca: string;
  /** Paths of the WebSocket requests. */
  upgrades: string[];
  /** Connections whose first bytes were not TLS. */
  refused: number;
}

const headOf = (headers: Record<string, string>): string =>
  Object.entries(headers).reduce((head, [name, value]) => `${head}${name}: ${value}\r\n`, '');

/** A front whose WebSockets end in the tunnel server, as in the fleet. */
export async function startWebSocketFront(server: TunnelServer): Promise<WebSocketFront> {
  const { ca, serving } = await certificates();
  const https = createServer({ ...serving }, (_, response) => response.writeHead(404).end());
  const upgrades: string[] = [];
  https.on('upgrade', (request, socket: Socket) => {
    upgrades.push(request.url ?? '');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headOf(handshakeHeaders(request.headers, undefined))}\r\n`);
    server.accept(webSocketTunnel(socket), socket.remoteAddress ?? '');
  });
  return listening(https, ca.cert, upgrades);
}

/** A balancer that terminates TLS and forwards WebSockets to another front. It forwards no other protocol. */
export async function startWebSocketProxy(to: Pick<WebSocketFront, 'port' | 'ca'>): Promise<WebSocketFront> {
  const { ca, serving } = await certificates();
  const upgrades: string[] = [];
  const https = createServer({ ...serving }, (_, response) => response.writeHead(404).end());
  https.on('upgrade', (request, socket: Socket) => {
    upgrades.push(request.url ?? '');
    const behind = connectTls({ port: to.port, host: '127.0.0.1', servername: 'localhost', ca: to.ca });
    behind.write(`GET ${request.url} HTTP/1.1\r\n${headOf(request.headers as Record<string, string>)}\r\n`);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  return listening(https, ca.cert, upgrades);
}

async function certificates(): Promise<{ ca: KeyPair; serving: KeyPair }> {
  const ca = await createCa('test-ca');
  return { ca, serving: await issueServing(ca, ['localhost']) };
}

async function listening(server: Server, ca: string, upgrades: string[]): Promise<WebSocketFront> {
  const sockets = new Set<Socket>();
  const front = { port: 0, ca, upgrades, refused: 0 };
  server.on('tlsClientError', () => front.refused++);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  front.port = (server.address() as AddressInfo).port;
  return Object.assign(front, {
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
}
