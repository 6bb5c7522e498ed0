/** Requests as one user over connections that are kept: thousands of handshakes would take longer than their answers. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Answer } from '../request.ts';

export interface Connection extends Disposable {
  /** The events of a watch as they come; ends with it. An answer that is no watch is given as one ERROR event. */
  watch(
    path: string,
    query: Record<string, string>,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void, undefined>;
  get(path: string, query?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
}

export interface WatchedObject {
  code?: number;
  message?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    annotations?: Record<string, string>;
  };
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: WatchedObject;
}

export async function connect(config: KubeConfig): Promise<Connection> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key } = options;
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  const { hostname: host, port } = new URL(config.getCurrentCluster()!.server);
  return {
    get(path, query = {}, headers = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const asked = {
        host,
        port,
        agent,
        path: withQuery(path, query),
        headers: { accept: 'application/json', ...headers },
      };
      request(asked, (response) => {
        text(response).then((body) => {
          resolve({ status: response.statusCode!, headers: response.headers, body: parsed(body) });
        }, reject);
      })
        .on('error', reject)
        .end();
      return promise;
    },
    async *watch(path, query, headers, signal) {
      const asked = { host, port, agent, signal, headers, path: withQuery(path, { ...query, watch: 'true' }) };
      const sent = request(asked).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      if (response.statusCode !== 200) {
        yield { type: 'ERROR', object: parsed(await text(response)) as WatchedObject };
        return;
      }
      yield* eventsIn(response);
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** Split at line feeds alone: other separators of lines may stand in texts. */
async function* eventsIn(response: IncomingMessage): AsyncGenerator<WatchEvent, void, undefined> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as WatchEvent;
  }
}

/** As `kubectl get --raw` would send it. */
export function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** An answer that is no JSON is compared as the text that it is. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return { text: body };
  }
}
