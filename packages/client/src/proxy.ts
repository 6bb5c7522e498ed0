/** Dialling through a proxy (CLU-5): CONNECT of http and https proxies, SOCKS5. */

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Address, addressOf, type Dial, dialDirect, type TlsOptions } from './dial.ts';
import { greetSocks } from './socks5.ts';

export interface ProxySettings {
  /** http, https or socks5; may carry a user and a password. */
  url: string;
  /** For http and https proxies. */
  headers?: Record<string, string> | undefined;
}

/** The proxy is away, or will not. Its text is for the log: it may name addresses. */
export class ProxyError extends Error {
  readonly code = 'ERR_PROXY';
}

export const isProxyUrl = (text: string): boolean =>
  URL.canParse(text) && /^(https?|socks5h?):$/.test(new URL(text).protocol);

/** The TLS options are those for the server, of which an https proxy shares the CA, as with client-go. */
export function dialThrough(proxy: ProxySettings, target: Address, tls: TlsOptions): Dial {
  const url = new URL(proxy.url);
  const open = url.protocol.startsWith('socks5') ? throughSocks(url, target) : throughConnect(url, proxy, target, tls);
  return async (signal) => {
    try {
      return await open(signal);
    } catch (cause) {
      if (signal.aborted) throw cause;
      throw cause instanceof ProxyError ? cause : new ProxyError('the proxy cannot be reached', { cause });
    }
  };
}

const credentialsOf = ({ username, password }: URL) => ({
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
});

function throughSocks(url: URL, target: Address): Dial {
  const dial = dialDirect(addressOf(url));
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

function throughConnect(url: URL, { headers = {} }: ProxySettings, { host, port }: Address, tls: TlsOptions): Dial {
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
        // Whoever uses it listens a moment later.
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
