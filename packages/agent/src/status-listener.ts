/** Serves `/metrics`, `/healthz` and `/readyz` of an agent, for Prometheus and the kubelet. Nothing here is secret. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Registry } from 'prom-client';

export interface StatusListenerOptions {
  registry: Registry;
  /** Whether the fleet can use this agent. */
  isReady(): boolean;
}

export interface StatusListener extends AsyncDisposable {
  /** For example `127.0.0.1:9090`. */
  address: string;
}

/** Throws if the text is not `host:port`. Without a host it listens on all addresses. */
export function parseListen(text: string): { host: string | undefined; port: number } {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new Error(`${JSON.stringify(text)} is not an address such as 127.0.0.1:9090`);
  return { host: host.replace(/^\[|\]$/g, '') || undefined, port: Number(port) };
}

export async function listenForStatus(listen: string, options: StatusListenerOptions): Promise<StatusListener> {
  const { registry, isReady } = options;
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 8192 }, (request, response) => {
    const path = request.url?.split('?')[0];
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    if (path === '/healthz' || path === '/livez') response.end('ok\n');
    else if (path === '/readyz') {
      response.writeHead(isReady() ? 200 : 503).end(isReady() ? 'ok\n' : 'not connected to the fleet\n');
    } else if (path === '/metrics') {
      registry.metrics().then(
        (text) => response.setHeader('content-type', registry.contentType).end(text),
        (error: unknown) => response.writeHead(500).end(`${String(error)}\n`),
      );
    } else response.writeHead(404).end('not found\n');
  });
  const { host, port } = parseListen(listen);
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  await once(server, 'listening');
  const { address, port: bound } = server.address() as AddressInfo;
  return {
    address: `${isIP(address) === 6 ? `[${address}]` : address}:${bound}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
