/** The handler on a plain HTTP/1.1 port of loopback: for simulated members and tests. The product's own front has TLS. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { requestTooLarge, type StatusError } from '@fleet/kube/status.ts';
import type { ApiHandler, ApiReply } from './message.ts';
import { jsonReply } from './message.ts';

/** As much as kube-apiserver takes. */
const bodyLimit = 3 * 1024 * 1024;

async function readBody(incoming: IncomingMessage): Promise<Buffer | StatusError> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) return requestTooLarge(bodyLimit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answer(
  handler: ApiHandler,
  incoming: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<ApiReply> {
  const body = await readBody(incoming);
  if (!Buffer.isBuffer(body)) return jsonReply(body.code, body.toStatus());
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method = 'GET', url = '/', headers } = incoming;
  return handler({ method, url, headers, body, signal: AbortSignal.any([gone.signal, signal]) });
}

async function write(response: ServerResponse, { status, headers, body }: ApiReply): Promise<void> {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  response.writeHead(status, Object.fromEntries(given));
  if (Buffer.isBuffer(body)) {
    response.end(body);
    return;
  }
  // A watch has begun before its first event.
  response.flushHeaders();
  await pipeline(body, response);
}

export interface Listener extends AsyncDisposable {
  port: number;
}

export async function listen(handler: ApiHandler, port = 0): Promise<Listener> {
  const ending = new AbortController();
  const server = createServer((incoming, response) => {
    answer(handler, incoming, response, ending.signal)
      .then((reply) => write(response, reply))
      // The client is gone, or the answer broke off: it must not look whole.
      .catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      ending.abort();
      server.closeIdleConnections();
      await closed;
    },
  };
}
