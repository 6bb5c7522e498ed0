/** One request as a user, with its answer as it came. */

import { type RequestOptions, request } from 'node:https';
import { json, text } from 'node:stream/consumers';
import type { KubeConfig } from '@kubernetes/client-node';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

export async function requestAs(
  config: KubeConfig,
  path: string,
  headers: Record<string, string> = {},
  isText = false,
  sentBody?: object,
  method = sentBody ? 'POST' : 'GET',
): Promise<Answer> {
  const url = new URL(`${config.getCurrentCluster()!.server}${path}`);
  const options: RequestOptions = {
    host: url.hostname,
    port: url.port,
    headers: {
      accept: 'application/json',
      ...(sentBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    method,
  };
  await config.applyToHTTPSOptions(options);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // With the path as it is written: URL would take dots out of it.
  const sent = request({ ...options, path }, (response) => {
    const read = isText ? text(response) : json(response);
    read.then((body) => resolve({ status: response.statusCode!, headers: response.headers, body }), reject);
  });
  sent.on('error', reject).end(sentBody && JSON.stringify(sentBody));
  return promise;
}
