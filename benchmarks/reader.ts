/** A client that only counts bytes, so that both sides of a comparison are read at the same cost. */

import { Agent, get } from 'node:https';

export interface Reader extends Disposable {
  /** Reads an answer to its end; gives its size, and throws unless it is a 200. */
  read(path: string, accept?: string): Promise<number>;
}

export function createReader(server: string, ca: string, pair: { cert: string; key: string }): Reader {
  const agent = new Agent({ keepAlive: true, ca, ...pair });
  return {
    read(path, accept = 'application/json') {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      // Set: curl's and browsers' agents are given pretty-printed JSON.
      get(`${server}${path}`, { agent, headers: { accept, 'user-agent': 'bench' } }, (response) => {
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(size);
          else reject(new Error(`${path}: ${response.statusCode}`));
        });
        response.on('error', reject);
      }).on('error', reject);
      return promise;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

export const tableAccept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
