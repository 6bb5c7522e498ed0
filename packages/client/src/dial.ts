/** Opens connections: directly, through a proxy, or through a tunnel. TLS to the server runs inside. */

import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { type CanDial, checkedLookup, checkLiteral } from './address-check.ts';

/** Opens a byte stream to one server, below TLS. The signal aborts only the attempt. */
export type Dial = (signal: AbortSignal) => Promise<Duplex>;

export interface TlsOptions {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  servername?: string | undefined;
  rejectUnauthorized?: boolean | undefined;
}

export interface Address {
  /** Without the brackets of IPv6. */
  host: string;
  port: number;
}

/** Detects dead peers under streams that are silent for hours. */
const keepAliveDelay = 30_000;

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };

export const addressOf = (url: URL): Address => ({
  host: url.hostname.replace(/^\[|\]$/g, ''),
  port: Number(url.port) || (defaultPorts[url.protocol] ?? 443),
});

/** Without `canDial`, any address is allowed. */
export const dialDirect =
  ({ host, port }: Address, canDial?: CanDial): Dial =>
  async (signal) => {
    if (canDial) checkLiteral(host, canDial);
    const checked = canDial && { lookup: checkedLookup(canDial) };
    const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelay, ...checked };
    const socket = connect(options);
    await settled(socket, 'connect', signal);
    return socket;
  };

/** Shared by all connections to a server, so that its certificates are parsed once. Throws if they cannot be parsed. */
export const secureContextOf = ({ ca, cert, key }: TlsOptions): SecureContext =>
  createSecureContext({
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });

/** Adds TLS to an open connection. */
export async function secure(
  raw: Duplex,
  { host }: Address,
  { servername, rejectUnauthorized = true }: TlsOptions,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  // A tunnel's stream may be closed as soon as it is opened, and TLS over a stream that has emitted its close waits forever.
  if (raw.destroyed) throw raw.errored ?? closedError();
  const name = servername ?? host;
  const socket = connectTls({
    socket: raw,
    // The name that the certificate is checked against; IP addresses are not sent as SNI.
    host: name,
    ...(isIP(name) ? {} : { servername: name }),
    secureContext,
    rejectUnauthorized,
    ALPNProtocols: ['http/1.1'],
  });
  try {
    await settled(socket, 'secureConnect', signal);
  } catch (error) {
    raw.destroy();
    throw error;
  }
  return socket;
}

const closedError = (): Error => Object.assign(new Error('connection closed'), { code: 'ECONNRESET' });

/** Waits for the event; any other outcome destroys the socket. */
export function settled(socket: Socket | Duplex, event: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => socket.destroy(signal.reason as Error);
  const done = () => {
    signal.removeEventListener('abort', abort);
    socket.off('error', reject);
    socket.off('close', closed);
    resolve();
  };
  const closed = () => reject(closedError());
  socket.once(event, done);
  socket.once('error', reject);
  // The caller adds its own listener a moment later; until then an error must not end the process.
  socket.on('error', () => {});
  socket.once('close', closed);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
