/** Asks a product as its administrator: answers with their warnings, and watches line by line. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Product } from '@fleet/bed/product.ts';

export type AskedProduct = Pick<Product, 'server' | 'ca' | 'admin'>;

export interface Heard {
  code: number;
  /** The text of each `Warning` of code 299. */
  warnings: string;
  body: string;
  milliseconds: number;
}

export interface WatchedObject {
  code?: number;
  message?: string;
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    annotations?: Record<string, string>;
  };
}

export interface Line {
  type: string;
  object: WatchedObject;
}

/** In milliseconds: longer than any deadline of the product. */
const patience = 60_000;

export class Client implements Disposable {
  private readonly product: AskedProduct;
  private readonly agent: Agent;

  constructor(product: AskedProduct) {
    this.product = product;
    this.agent = new Agent({ keepAlive: true, ca: product.ca, ...product.admin });
  }

  async get(path: string, accept = 'application/json'): Promise<Heard> {
    const begun = performance.now();
    const asking = request(new URL(path, this.product.server), {
      agent: this.agent,
      headers: { accept },
      signal: AbortSignal.timeout(patience),
    });
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const body = await text(response);
    const warnings = String(response.headers['warning'] ?? '');
    return { code: response.statusCode ?? 0, warnings, body, milliseconds: performance.now() - begun };
  }

  /** Ends when the server ends it; throws where it breaks off, and where it is refused. */
  async *watch(path: string, signal: AbortSignal): AsyncGenerator<Line> {
    const { server, ca, admin } = this.product;
    const asking = request(new URL(path, server), { agent: false, ca, ...admin, signal });
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${await text(response)}`);
    let rest = '';
    response.setEncoding('utf8');
    for await (const data of response) {
      const lines = (rest + data).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  }

  [Symbol.dispose](): void {
    this.agent.destroy();
  }
}
