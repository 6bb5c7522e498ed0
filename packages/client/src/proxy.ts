/** Dials through a proxy (CLU-5): CONNECT for http and https proxies, and SOCKS5. */

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type CanDial, checkedLookup, checkLiteral, RefusedAddressError } from './address-check.ts';
import { type Address, addressOf, type Dial, dialDirect, type TlsOptions } from './dial.ts';
import { greetSocks } from './socks5.ts';

export interface ProxySettings {
  /** http, https or socks5; it may carry a user and a password. */
  url: string;
  /** For http and https proxies. */
  headers?: Record<string, string> | undefined;
}

/** The proxy is unreachable, or refuses. The text is for the log only, as it may contain addresses. */
export class ProxyError extends Error {
  readonly code = 'ERR_PROXY';
}

/** User and password are percent-encoded: a `%` without two hexadecimal digits makes the URL unusable. */
export function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^(https?|socks5h?):$/.test(url.protocol) && [url.username, url.password].every(isPercentEncoded);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The TLS options are those for the server; an https proxy shares its CA, as in client-go. `canDial` checks the
 * proxy's address, and the server's if that is an IP address: names are resolved by the proxy.
 */
export function dialThrough(proxy: ProxySettings, target: Address, tls: TlsOptions, canDial?: CanDial): Dial {
  const url = new URL(proxy.url);
  const open = url.protocol.startsWith('socks5')
    ? throughSocks(url, target, canDial)
    : throughConnect(url, proxy, target, tls, canDial);
  return async (signal) => {
    try {
      if (canDial) for (const { host } of [target, addressOf(url)]) checkLiteral(host, canDial);
      return await open(signal);
    } catch (cause) {
      if (signal.aborted || cause instanceof RefusedAddressError) throw cause;
      throw cause instanceof ProxyError ? cause : new ProxyError('the proxy cannot be reached', { cause });
    }
  };
}

const credentialsOf = ({ username, password }: URL) => ({
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
});

function throughSocks(url: URL, target: Address, canDial: CanDial | undefined): Dial {
  const dial = dialDirect(addressOf(url), canDial);
  return async (signal) => {
    const stream = await dial(signal);
    try {
      await greetSocks(stream, target, credentialsOf(url), signal);
      return stream;
    } catch (error) {
      stream.destroy();
      throw error;
    }
  };
}

function throughConnect(
  url: URL,
  { headers = {} }: ProxySettings,
  { host, port }: Address,
  tls: TlsOptions,
  canDial: CanDial | undefined,
): Dial {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const { user, password } = credentialsOf(url);
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  const { ca, rejectUnauthorized = true } = tls;
  const options = {
    ...addressOf(url),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(user ? { 'proxy-authorization': `Basic ${basic}` } : {}), ...headers },
    agent: false as const,
    ...(canDial && { lookup: checkedLookup(canDial) }),
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized,
  };
  return (signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
    const asking = (url.protocol === 'https:' ? httpsRequest : httpRequest)(options);
    const abort = () => asking.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    asking.once('connect', (response, stream, head) => {
      if (response.statusCode === 200) {
        if (head.length > 0) stream.unshift(head);
        // The caller adds its own listener a moment later.
        stream.on('error', () => {});
        resolve(stream);
        return;
      }
      stream.destroy();
      reject(new ProxyError(`the proxy answered ${response.statusCode}`));
    });
    asking.once('error', reject);
    asking.end();
    return promise.finally(() => signal.removeEventListener('abort', abort));
  };
}
