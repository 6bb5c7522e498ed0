/** Sends requests to a Kubernetes API server over the network: a pool for calls, and one connection for each upgrade. */

import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { withoutEnding } from '@fleet/kube/trim-end.ts';
import { type Dispatcher, Pool } from 'undici';
import type { CanDial } from './address-check.ts';
import { type Address, addressOf, type Dial, dialDirect, secure, secureContextOf, type TlsOptions } from './dial.ts';
import { dialThrough, type ProxySettings } from './proxy.ts';
import { ReplyBody } from './reply-body.ts';
import { TurnShare } from './turn-share.ts';
import {
  type BytesReply,
  type Headers,
  UnreachableError,
  type UpgradeReply,
  type Upstream,
  type UpstreamCall,
} from './upstream.ts';

export interface Endpoint {
  /** May carry a path, as in `https://host/clusterspaces/member1`. */
  url: string;
  tls: TlsOptions;
  proxy?: ProxySettings | undefined;
  /** How to open a connection instead, such as through a tunnel. TLS runs inside it. */
  dial?: Dial | undefined;
  /** Undefined allows any address. */
  canDial?: CanDial | undefined;
  /** Limits the memory of its responses (SEC-2). */
  memory?: AnswerMemory | undefined;
  /** The `Authorization` header, requested before each call as tokens expire. */
  authorization?: (() => Promise<string | undefined>) | undefined;
}

const connectTimeout = 5_000;

/** kube-apiserver closes idle connections after 90 s; ours are closed earlier, so that no request uses a closing one. */
const idleTimeout = 60_000;

export class HttpsUpstream implements Upstream {
  private readonly endpoint: Endpoint;
  private readonly basePath: string;
  private readonly host: string;
  private readonly address: Address;
  private readonly secured: boolean;
  private readonly dial: Dial;
  private readonly pool: Pool;
  private readonly share = new TurnShare();
  private secureContext: SecureContext | undefined;
  private readonly ended: AbortSignal | undefined;
  private readonly endPool = () => {
    this.pool.destroy(asError(this.ended?.reason)).catch(() => {});
  };

  /** When `ended` aborts, all requests in flight are cut off, upgraded streams included. */
  constructor(endpoint: Endpoint, ended?: AbortSignal) {
    this.endpoint = endpoint;
    this.ended = ended;
    const url = new URL(endpoint.url);
    this.address = addressOf(url);
    this.secured = url.protocol === 'https:';
    const { proxy, tls, canDial } = endpoint;
    this.dial =
      endpoint.dial ?? (proxy ? dialThrough(proxy, this.address, tls, canDial) : dialDirect(this.address, canDial));
    this.host = url.host;
    this.basePath = withoutEnding(url.pathname, (sign) => sign === '/');
    this.pool = new Pool(url.origin, {
      allowH2: false,
      connect: (_, done) => {
        this.connection(AbortSignal.timeout(connectTimeout)).then(
          // undici uses only the part of a socket that every stream has.
          (stream) => done(null, stream as Socket),
          (error: unknown) => done(asError(error), null),
        );
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleTimeout,
      keepAliveMaxTimeout: idleTimeout,
      maxHeaderSize: 1024 * 1024,
    });
    if (ended?.aborted) this.endPool();
    else ended?.addEventListener('abort', this.endPool, { once: true });
  }

  async call(call: UpstreamCall): Promise<BytesReply> {
    const headers = await this.withCredential(call.headers);
    try {
      return await this.dispatch(call, headers);
    } catch (error) {
      // The server may have closed a pooled connection under the request; repeating a read is harmless, and Go's client does so.
      const again = error instanceof UnreachableError && error.sent && isRead(call) && !call.signal.aborted;
      if (again) return this.dispatch(call, headers);
      throw error;
    }
  }

  async upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    const headers = await this.withCredential(call.headers);
    const stream = await this.connectionFor(call);
    const { promise, resolve, reject } = Promise.withResolvers<UpgradeReply>();
    const request = httpRequest({
      ...this.address,
      defaultPort: this.secured ? 443 : 80,
      method: call.method,
      path: this.basePath + call.path,
      headers,
      createConnection: () => stream,
    });
    // An upgraded stream lives as long as its client; the signal ends only the wait for the response.
    const abort = () => request.destroy(asError(call.signal.reason));
    call.signal.addEventListener('abort', abort, { once: true });
    const settled = () => call.signal.removeEventListener('abort', abort);
    request.on('upgrade', (response: IncomingMessage, stream, head) => {
      settled();
      resolve({
        is: 'upgraded',
        status: response.statusCode ?? 101,
        statusText: response.statusMessage ?? 'Switching Protocols',
        headers: response.headers,
        stream,
        head,
      });
    });
    request.on('response', (response) => {
      settled();
      const reply = replyOf(response, this.memoryFor(headers), this.share);
      resolve({ is: 'refused', reply: { ...reply, headers: this.withoutOwnHost(reply.headers) } });
    });
    request.on('error', (cause) => {
      settled();
      reject(call.signal.aborted ? asError(call.signal.reason) : new UnreachableError(true, { cause }));
    });
    if (call.signal.aborted) abort();
    else request.end();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Graceful: requests in flight finish, then the pool closes.
    await this.pool.close();
    this.ended?.removeEventListener('abort', this.endPool);
  }

  private dispatch(call: UpstreamCall, headers: Headers): Promise<BytesReply> {
    const { promise, resolve, reject } = Promise.withResolvers<BytesReply>();
    if (call.signal.aborted) return Promise.reject(asError(call.signal.reason));
    let sent = false;
    let body: ReplyBody | undefined;
    let abort: (() => void) | undefined;
    const settled = () => {
      if (abort) call.signal.removeEventListener('abort', abort);
    };
    const unsent = () => reject(asError(call.signal.reason));
    // While no connection is free there is no controller to abort, but the caller must not wait.
    call.signal.addEventListener('abort', unsent, { once: true });
    this.pool.dispatch(
      {
        method: call.method as Dispatcher.HttpMethod,
        path: this.basePath + call.path,
        headers: headers as Record<string, string | string[]>,
        body: call.body ?? null,
      },
      {
        onRequestStart: (controller) => {
          sent = true;
          call.signal.removeEventListener('abort', unsent);
          abort = () => controller.abort(asError(call.signal.reason));
          if (call.signal.aborted) abort();
          else call.signal.addEventListener('abort', abort, { once: true });
        },
        onResponseStart: (controller, status, replyHeaders) => {
          if (status < 200) return;
          body = new ReplyBody(controller, this.memoryFor(headers), this.share);
          resolve({ status, headers: this.withoutOwnHost(replyHeaders), body });
        },
        onResponseData: (_, chunk) => body?.push(chunk),
        onResponseEnd: () => {
          settled();
          body?.end();
        },
        onResponseError: (_, error) => {
          settled();
          call.signal.removeEventListener('abort', unsent);
          if (body) body.fail(error);
          else reject(call.signal.aborted ? asError(call.signal.reason) : new UnreachableError(sent, { cause: error }));
        },
      },
    );
    return promise;
  }

  /** Each upgrade gets a connection of its own. */
  private async connectionFor({ signal }: UpstreamCall): Promise<Duplex> {
    const { ended } = this;
    try {
      const stream = await this.connection(AbortSignal.any([signal, AbortSignal.timeout(connectTimeout)]));
      const end = () => stream.destroy(asError(ended?.reason));
      ended?.addEventListener('abort', end, { once: true });
      stream.once('close', () => ended?.removeEventListener('abort', end));
      if (ended?.aborted) end();
      return stream;
    } catch (cause) {
      throw signal.aborted ? asError(signal.reason) : new UnreachableError(false, { cause });
    }
  }

  private async connection(signal: AbortSignal): Promise<Duplex> {
    const { tls } = this.endpoint;
    if (this.secured) this.secureContext ??= secureContextOf(tls);
    const raw = await this.dial(signal);
    return this.secureContext ? secure(raw, this.address, tls, this.secureContext, signal) : raw;
  }

  /** Servers write redirects with the host they were reached by, which the caller does not know: it is removed. */
  private withoutOwnHost(headers: Headers): Headers {
    const { location } = headers;
    if (typeof location !== 'string') return headers;
    const url = URL.canParse(location) ? new URL(location) : undefined;
    if (url && url.host !== this.host) return headers;
    const path = url ? `${url.pathname}${url.search}${url.hash}` : location;
    const isBelow = path.startsWith(`${this.basePath}/`);
    return { ...headers, location: isBelow ? path.slice(this.basePath.length) : path };
  }

  /** Memory is limited per user, and the user is the one that the request impersonates. */
  private memoryFor({ 'impersonate-user': user }: Headers): AnswerMemory | undefined {
    return user === undefined ? this.endpoint.memory : this.endpoint.memory?.of(String(user));
  }

  private async withCredential(headers: Headers): Promise<Headers> {
    const authorization = await this.endpoint.authorization?.();
    return authorization === undefined ? headers : { ...headers, authorization };
  }
}

const isRead = ({ method, body }: UpstreamCall): boolean =>
  (method === 'GET' || method === 'HEAD') && body === undefined;

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

function replyOf(response: IncomingMessage, memory: AnswerMemory | undefined, share: TurnShare): BytesReply {
  const body = new ReplyBody(
    {
      pause: () => response.pause(),
      resume: () => response.resume(),
      abort: (reason) => response.destroy(reason),
    },
    memory,
    share,
  );
  response.on('data', (chunk: Buffer) => body.push(chunk));
  response.on('end', () => body.end());
  response.on('error', (error) => body.fail(error));
  return { status: response.statusCode ?? 502, headers: response.headers, body };
}
