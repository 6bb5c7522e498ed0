/**
 * The address that Karmada's specs take for its API server: what an APIService gives to karmada-search there goes to the product,
 * all the rest to the control plane. The specs have one address for both, and here the control plane is behind the product.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Product } from '@fleet/bed/product.ts';
import type { CopiedNamespaces } from './copied-namespaces.ts';

const search = '/apis/search.karmada.io/';
const namespace = /^\/api\/v1\/namespaces(\/[^/]+)?$/;

export class KarmadaApiServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #agent: Agent;

  private constructor(server: Server, agent: Agent) {
    this.#server = server;
    this.#agent = agent;
  }

  /** Whoever asks here is the product's admin: it listens on loopback, for one suite. */
  static async start({ server: product, ca, admin }: Product, namespaces: CopiedNamespaces): Promise<KarmadaApiServer> {
    const agent = new Agent({ keepAlive: true, ca, ...admin });
    const server = createServer((incoming, response) => {
      const { url = '', method, headers } = incoming;
      const place = url.startsWith(search) ? '' : '/clusterspaces/karmada';
      const { host: _, ...rest } = headers;
      const asking = request(`${product}${place}${url}`, { agent, method, headers: rest });
      const answered = async (answer: IncomingMessage) => {
        // Some specs write into a namespace as soon as they have made it.
        if (method !== 'GET' && namespace.test(url)) await namespaces.update();
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        await pipeline(answer, response);
      };
      // A client that leaves a watch is no error; one that gets no answer notices.
      asking.once('response', (answer) => {
        answered(answer).catch(() => {
          asking.destroy();
          response.destroy();
        });
      });
      asking.once('error', () => response.destroy());
      incoming.pipe(asking);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new KarmadaApiServer(server, agent);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
    await once(this.#server, 'close');
  }
}
