/** Accepts agents on the product's own port (AGENT-2): SSH beside TLS, distinguished by the first byte, and SSH inside a WebSocket. */

import type { IncomingMessage } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endConnection } from '@fleet/kube/end-connection.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { handshakeHeaders } from '@fleet/kube/websocket/handshake.ts';
import { protocolsOf } from '@fleet/kube/websocket/protocols.ts';
import { webSocketTunnel } from '@fleet/kube/websocket/tunnel.ts';

/** Takes over a connection that speaks SSH, including the login and its timeout. */
export type AcceptAgent = (stream: Duplex, address: string) => void;

export const agentPath = '/fleet/agent';

/** SSH begins with `SSH-`, and no TLS record begins with an S. */
const sshByte = 'S'.charCodeAt(0);

/**
 * Reads the first byte of each connection before TLS. TLS gets every other connection with all of its bytes. A connection that sends
 * nothing has as long as for a handshake. `close` ends those that have sent nothing.
 */
export function takeSsh(server: Http2SecureServer, accept: AcceptAgent, patience: number): { close(): void } {
  const toTls = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const late = setTimeout(() => socket.destroy(), patience);
    const over = (): void => {
      clearTimeout(late);
      silent.delete(socket);
      socket.off('readable', look);
      socket.off('close', over);
      socket.off('error', dropped);
    };
    const look = (): void => {
      const first: Buffer | null = socket.read();
      if (!first) return;
      over();
      socket.unshift(first);
      if (first[0] === sshByte) accept(socket, socket.remoteAddress ?? '');
      else for (const listener of toTls) listener.call(server, socket);
    };
    silent.add(socket);
    socket.on('readable', look);
    socket.on('close', over);
    socket.on('error', dropped);
  });
  return {
    close: () => {
      for (const socket of silent) socket.destroy();
    },
  };
}

/** The client disconnected before it sent anything: ignored. */
const dropped = (): void => {};

export const isAgentRequest = ({ url = '' }: IncomingMessage): boolean => url.split('?')[0] === agentPath;

/** False: it was not a WebSocket request, and was answered. Not authenticated: the agent logs in inside. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, head: Buffer, accept: AcceptAgent): boolean {
  const headers = agreedHeaders(request);
  if (!headers) {
    socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    endConnection(socket);
    return false;
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
  if (head.length > 0) socket.unshift(head);
  const tunnel = webSocketTunnel(socket);
  // Bytes that the other side has not read yet are dropped.
  tunnel.once('close', () => socket.destroy());
  accept(tunnel, request.socket.remoteAddress ?? '');
  return true;
}

function agreedHeaders({ headers }: IncomingMessage): Record<string, string> | undefined {
  try {
    return handshakeHeaders(headers, protocolsOf(headers)[0]);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
