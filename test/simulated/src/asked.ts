/** One request as a user, with its answer as it came. */

import { type RequestOptions, request } from 'node:https';
import { json } from 'node:stream/consumers';
import type { KubeConfig } from '@kubernetes/client-node';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

export async function asked(config: KubeConfig, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const url = new URL(`${config.getCurrentCluster()!.server}${path}`);
  const options: RequestOptions = {
    host: url.hostname,
    port: url.port,
    headers: { accept: 'application/json', ...headers },
  };
  await config.applyToHTTPSOptions(options);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // With the path as it is written: URL would take dots out of it.
  const sent = request({ ...options, path }, (response) => {
    json(response).then((body) => resolve({ status: response.statusCode!, headers: response.headers, body }), reject);
  });
  sent.on('error', reject).end();
  return promise;
}
