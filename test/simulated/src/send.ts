/** One request of any method as a user, with the bytes of its answer. */

import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { KubeConfig } from '@kubernetes/client-node';

export interface Sending {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The client goes away when it aborts. */
  signal?: AbortSignal;
}

export interface Sent {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Of the `Warning` headers. */
  warnings: string;
}

export async function send(config: KubeConfig, { path, headers = {}, body, ...sending }: Sending): Promise<Sent> {
  const url = new URL(config.getCurrentCluster()!.server);
  const options: RequestOptions = {
    host: url.hostname,
    port: url.port,
    path,
    ...sending,
    headers: { accept: 'application/json', ...headers },
  };
  await config.applyToHTTPSOptions(options);
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  request(options, (response) => {
    const { statusCode: status = 0, headers } = response;
    const warnings = [headers['warning'] ?? []].flat().join(', ');
    text(response).then((text) => resolve({ status, headers, text, warnings }), reject);
  })
    .on('error', reject)
    .end(body);
  return promise;
}
