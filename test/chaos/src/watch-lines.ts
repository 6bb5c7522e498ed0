/** One watch over HTTPS: opened, and read line by line. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Endpoint } from '@fleet/differential/endpoint.ts';

/** Undefined where the signal came first. */
export async function openWatch(
  { url, ca, cert, key }: Endpoint,
  path: string,
  signal: AbortSignal,
  accept = 'application/json',
): Promise<IncomingMessage | undefined> {
  try {
    const asking = request(url + path, { agent: false, ca, cert, key, signal, headers: { accept } });
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    asking.on('error', () => {});
    return response;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

export async function* linesOf<Line>(response: IncomingMessage): AsyncGenerator<Line> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}
