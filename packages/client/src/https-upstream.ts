/** A Kubernetes API server reached over the network: one long-lived pool for calls, a connection of its own per upgrade. */

import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Dispatcher, Pool } from 'undici';
import { ReplyBody } from './reply-body.ts';
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
  tls: {
    ca?: string | undefined;
    cert?: string | undefined;
    key?: string | undefined;
    servername?: string | undefined;
    rejectUnauthorized?: boolean | undefined;
  };
  /** The `Authorization` header, asked for before each call since tokens expire. */
  authorization?: (() => Promise<string | undefined>) | undefined;
}

const connectTimeout = 5_000;

/** kube-apiserver closes idle connections after 90 s; ours go first, so that no request meets a closing one. */
const idleTimeout = 60_000;

export class HttpsUpstream implements Upstream {
  private readonly endpoint: Endpoint;
  private readonly basePath: string;
  private readonly pool: Pool;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
    const url = new URL(endpoint.url);
    this.basePath = url.pathname.replace(/\/+$/, '');
    this.pool = new Pool(url.origin, {
      allowH2: false,
      connect: { ...this.tlsOptions(), timeout: connectTimeout },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleTimeout,
      keepAliveMaxTimeout: idleTimeout,
      maxHeaderSize: 1024 * 1024,
    });
  }

  async call(call: UpstreamCall): Promise<BytesReply> {
    const headers = await this.withCredential(call.headers);
    try {
      return await this.dispatch(call, headers);
    } catch (error) {
      // A pooled connection may have been closed under a request; reading again is harmless and what Go's client does.
      const again = error instanceof UnreachableError && error.sent && isRead(call) && !call.signal.aborted;
      if (again) return this.dispatch(call, headers);
      throw error;
    }
  }

  async upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    const headers = await this.withCredential(call.headers);
    const { promise, resolve, reject } = Promise.withResolvers<UpgradeReply>();
    const url = new URL(this.endpoint.url);
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
    let sent = false;
    const request = send({
      ...this.tlsOptions(),
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
      method: call.method,
      path: this.basePath + call.path,
      headers,
      agent: false,
      // An upgraded stream lives as long as its client; the signal ends only the wait for the answer.
      timeout: connectTimeout,
    });
    const abort = () => request.destroy(asError(call.signal.reason));
    call.signal.addEventListener('abort', abort, { once: true });
    const settled = () => call.signal.removeEventListener('abort', abort);
    request.on('socket', (socket) => {
      const event = url.protocol === 'http:' ? 'connect' : 'secureConnect';
      socket.once(event, () => {
        sent = true;
        socket.setTimeout(0);
        socket.setNoDelay(true);
      });
    });
    request.on('timeout', () => request.destroy(new Error('connect timeout')));
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
      resolve({ is: 'refused', reply: replyOf(response) });
    });
    request.on('error', (cause) => {
      settled();
      reject(call.signal.aborted ? asError(call.signal.reason) : new UnreachableError(sent, { cause }));
    });
    if (call.signal.aborted) abort();
    else request.end();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Graceful: what is under way goes on, and the pool closes behind it.
    await this.pool.close();
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
    // Until a connection is free there is no controller to abort, but the caller must not wait.
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
          body = new ReplyBody(controller);
          resolve({ status, headers: replyHeaders, body });
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

  private tlsOptions() {
    const { ca, cert, key, servername, rejectUnauthorized } = this.endpoint.tls;
    return {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(servername === undefined ? {} : { servername }),
      rejectUnauthorized: rejectUnauthorized ?? true,
    };
  }

  private async withCredential(headers: Headers): Promise<Headers> {
    const authorization = await this.endpoint.authorization?.();
    return authorization === undefined ? headers : { ...headers, authorization };
  }
}

const isRead = ({ method, body }: UpstreamCall): boolean =>
  (method === 'GET' || method === 'HEAD') && body === undefined;

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

function replyOf(response: IncomingMessage): BytesReply {
  const body = new ReplyBody({
    pause: () => response.pause(),
    resume: () => response.resume(),
    abort: (reason) => response.destroy(reason),
  });
  response.on('data', (chunk: Buffer) => body.push(chunk));
  response.on('end', () => body.end());
  response.on('error', (error) => body.fail(error));
  return { status: response.statusCode ?? 502, headers: response.headers, body };
}
