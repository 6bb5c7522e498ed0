/** Sends requests to one endpoint over kept-alive connections; a failure to answer is an answer too, with status 0. */
import { gunzipSync } from 'node:zlib';
import { type Dispatcher, Pool } from 'undici';
import type { Endpoint } from './endpoint.ts';
import type { Answer, Request } from './request.ts';
import { WatchStream } from './watch-stream.ts';

/** Long enough for "Too large resource version" (3 s) on a busy machine. */
const answerDeadline = 30_000;

export class Connection implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #token: string | undefined;

  constructor(endpoint: Endpoint) {
    const url = new URL(endpoint.url);
    const { ca, cert, key } = endpoint;
    const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
    this.#prefix = url.pathname.replace(/\/$/, '');
    this.#token = endpoint.token;
    // bodyTimeout 0: a watch may be quiet
    this.#pool = new Pool(url.origin, { allowH2: false, connect: tls, bodyTimeout: 0, headersTimeout: answerDeadline });
  }

  async send(request: Request): Promise<Answer> {
    try {
      const { statusCode, headers, body } = await this.#request(request, AbortSignal.timeout(answerDeadline));
      const raw = Buffer.from(await body.arrayBuffer());
      const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
      return { status: statusCode, headers: flat(headers), body: plain };
    } catch (cause) {
      return failed(cause);
    }
  }

  /** A stream, or the answer that refused it. */
  async watch(request: Request): Promise<WatchStream | Answer> {
    try {
      const { statusCode, headers, body } = await this.#request(request, undefined);
      if (statusCode === 200) return new WatchStream(flat(headers), body);
      return { status: statusCode, headers: flat(headers), body: Buffer.from(await body.arrayBuffer()) };
    } catch (cause) {
      return failed(cause);
    }
  }

  #request(request: Request, signal: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const query = request.query.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
    return this.#pool.request({
      method: request.method as Dispatcher.HttpMethod,
      path: `${this.#prefix}${request.path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
      headers: {
        ...request.headers,
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      body: request.body ?? null,
      ...(signal && { signal }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value ?? ''].flat().join(', ')]));
}

function failed(cause: unknown): Answer {
  const { code, message } = cause as { code?: string; message?: string };
  return { status: 0, headers: {}, body: Buffer.alloc(0), failure: code ?? message ?? String(cause) };
}
