/** The two transports of the tunnel: SSH on a TCP connection, and SSH inside a WebSocket (AGENT-2). */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { type Dial, dialDirect, secure, secureContextOf } from '@fleet/client/dial.ts';
import { dialThrough } from '@fleet/client/proxy.ts';
import { createWebSocketStream, WebSocket } from 'ws';
import type { ServerAddress } from './server-address.ts';

export type Transport = 'ssh' | 'websocket';

export interface ServerConnection {
  stream: Duplex;
  /** The underlying socket, for its byte counts. */
  socket: Duplex & Partial<Pick<Socket, 'bytesRead' | 'bytesWritten'>>;
}

export interface TransportSettings {
  server: ServerAddress;
  /** http, https or socks5. */
  proxy?: string | undefined;
  /** PEM, trusted in addition to the machine's CAs. */
  certificateAuthority?: string | undefined;
  /**
   * Whether the TLS certificate in front of the WebSocket is verified. TLS is there only because proxies and balancers expect
   * it: the server authenticates with its SSH host key, which the token pins, and SSH encrypts everything. Without
   * verification a man in the middle sees that an agent connects, and can cut it off; with verification that is possible, too.
   */
  verifyTls: boolean;
}

export type DialTransport = (signal: AbortSignal) => Promise<ServerConnection>;

export function transportsOf(settings: TransportSettings): Record<Transport, DialTransport> {
  const { server, proxy, certificateAuthority: ca, verifyTls } = settings;
  // Added to the machine's CAs: a balancer may have a public certificate, and the fleet behind it one of its own.
  const trusted = [...getCACertificates('default'), ...getCACertificates('system'), ...(ca === undefined ? [] : [ca])];
  const tls = { ca: trusted.join('\n'), rejectUnauthorized: verifyTls };
  const context = secureContextOf(tls);
  const dial: Dial = proxy === undefined ? dialDirect(server) : dialThrough({ url: proxy }, server, tls);
  return {
    ssh: async (signal) => {
      const socket = await dial(signal);
      return { stream: socket, socket };
    },
    websocket: async (signal) => {
      const socket = await dial(signal);
      const secured = await secure(socket, server, tls, context, signal);
      return { stream: await webSocketOver(secured, server.webSocketUrl, signal), socket };
    },
  };
}

/** Of one frame. SSH packets have up to 35,000 bytes; a server may put several into one frame. */
const longestFrame = 1024 * 1024;

async function webSocketOver(socket: Duplex, url: string, signal: AbortSignal): Promise<Duplex> {
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  const webSocket = new WebSocket(url, {
    createConnection: () => socket,
    // Encrypted bytes cannot be compressed.
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: longestFrame,
    skipUTF8Validation: true,
    headers: { 'user-agent': 'fleet-agent' },
  });
  const abort = () => webSocket.terminate();
  signal.addEventListener('abort', abort, { once: true });
  webSocket.once('open', resolve);
  webSocket.once('error', (error: Error) => reject(signal.aborted ? signal.reason : error));
  try {
    const stream = createWebSocketStream(webSocket);
    // The caller adds its own listener a moment later.
    stream.on('error', () => {});
    await opened;
    return stream;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
