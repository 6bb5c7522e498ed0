import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Pair } from './pki.ts';

export interface Answer {
  code: number;
  body: string;
}

export interface AskOptions {
  method?: string;
  body?: unknown;
  /** JSON by default. */
  contentType?: string;
  accept?: string;
  timeout?: number;
}

/** The few questions the bed itself asks an API server. */
export class Api implements Disposable {
  readonly #server: string;
  readonly #agent: Agent;

  /** A path behind the server's address stands before all that are asked. */
  constructor(server: string, ca: string, pair: Pair) {
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca, cert: pair.cert, key: pair.key });
  }

  ask(
    path: string,
    { method = 'GET', body, contentType = 'application/json', accept, timeout = 10_000 }: AskOptions = {},
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const asking = request(`${this.#server}${path}`, {
      method,
      agent: this.#agent,
      headers: {
        'user-agent': 'bed',
        ...(accept === undefined ? {} : { accept }),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      signal: AbortSignal.timeout(timeout),
    });
    asking.once('error', reject);
    asking.once('response', (response) => {
      text(response).then((body) => resolve({ code: response.statusCode ?? 0, body }), reject);
    });
    asking.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  /** The object, or an error with the server's answer. */
  async object<T>(path: string, options: AskOptions = {}): Promise<T> {
    const { code, body } = await this.ask(path, options);
    if (code < 200 || code > 299) throw new Error(`${options.method ?? 'GET'} ${path}: ${code} ${body}`);
    return JSON.parse(body) as T;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
