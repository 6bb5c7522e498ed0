/** A watch by hand: its lines as they come. Who stops reading closes the connection. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import type { KubeConfig } from '@kubernetes/client-node';

export interface WatchedLine {
  type: string;
  object: { code?: number; metadata: { name: string; resourceVersion: string } };
}

/** Resolves when the watch is open. */
export async function watchLinesOf(config: KubeConfig, path: string): Promise<AsyncIterable<WatchedLine>> {
  const { hostname, port } = new URL(config.getCurrentCluster()!.server);
  const options: RequestOptions = { host: hostname, port, path, headers: { accept: 'application/json' } };
  await config.applyToHTTPSOptions(options);
  const [response] = (await once(request(options).end(), 'response')) as [IncomingMessage];
  return linesOf(response);
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<WatchedLine> {
  // Leaving the loop destroys the response.
  for await (const line of watchLines(response)) yield JSON.parse(line.toString()) as WatchedLine;
}
