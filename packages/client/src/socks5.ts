/** The client side of SOCKS5 (RFC 1928), with user and password (RFC 1929). */

import { isIPv4 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Address } from './dial.ts';

const version = 5;
const byPassword = 2;
const noAuthentication = 0;

export interface SocksCredentials {
  user: string;
  password: string;
}

/** Afterwards the stream is connected to the target. Names are resolved by the proxy. */
export async function greetSocks(
  stream: Duplex,
  target: Address,
  { user, password }: SocksCredentials,
  signal: AbortSignal,
): Promise<void> {
  const read = reader(stream, signal);
  const methods = user ? [noAuthentication, byPassword] : [noAuthentication];
  // version, number of methods, methods -> version, method
  stream.write(Buffer.from([version, methods.length, ...methods]));
  const [, method] = await read(2);
  if (method === byPassword) {
    // 1, length, user, length, password -> 1, 0 for welcome
    stream.write(Buffer.concat([Buffer.from([1]), withLength(user), withLength(password)]));
    const [, refused] = await read(2);
    if (refused !== 0) throw new Error('the proxy does not accept the user or the password');
  } else if (method !== noAuthentication) throw new Error('the proxy requires another authentication method');
  // version, 1 for connect, 0, kind of address, address, port -> version, 0 for done, 0, kind, address, port
  stream.write(Buffer.concat([Buffer.from([version, 1, 0]), addressBytes(target.host), portBytes(target.port)]));
  const [, refused, , kind] = await read(4);
  if (refused !== 0) throw new Error(`the proxy cannot connect (SOCKS5 reply ${refused})`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : (await read(1))[0]!;
  await read(length + 2);
}

const withLength = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('too long for SOCKS5');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};

/** 1 and four bytes, or 3 and a name; an IPv6 address is sent as a name, which proxies understand. */
const addressBytes = (host: string): Buffer =>
  isIPv4(host) ? Buffer.from([1, ...host.split('.').map(Number)]) : Buffer.concat([Buffer.from([3]), withLength(host)]);

const portBytes = (port: number): Buffer => Buffer.from([port >> 8, port & 0xff]);

/** Reads exactly `length` bytes, and leaves the rest in the stream. */
const reader =
  (stream: Duplex, signal: AbortSignal) =>
  async (count: number): Promise<Buffer> => {
    for (;;) {
      const bytes: unknown = stream.read(count);
      if (Buffer.isBuffer(bytes) && bytes.length === count) return bytes;
      if (bytes !== null || stream.readableEnded || stream.destroyed)
        throw new Error('the proxy closed the connection');
      await readable(stream, signal);
    }
  };

function readable(stream: Duplex, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => stream.destroy(signal.reason as Error);
  const events = { readable: resolve, end: resolve, close: resolve, error: reject } as const;
  for (const [event, listener] of Object.entries(events)) stream.once(event, listener);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    for (const [event, listener] of Object.entries(events)) stream.off(event, listener);
  });
}
