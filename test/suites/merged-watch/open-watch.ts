/** A watch read by hand, so that a test can break it where it likes. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: { metadata: { name: string; resourceVersion: string }; data?: Record<string, string> };
}

export interface OpenWatch {
  readonly events: readonly WatchEvent[];
  /** Returns when the condition holds for what has come. */
  until(what: string, condition: (events: readonly WatchEvent[]) => boolean): Promise<void>;
  /** In the middle, as a client that dies. */
  break(): void;
}

export async function openWatch({ server, ca, admin }: Product, path: string): Promise<OpenWatch> {
  const asking = request(new URL(path, server), { agent: false, ca, ...admin });
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const events: WatchEvent[] = [];
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    events.push(...lines.map((line) => JSON.parse(line) as WatchEvent));
  });
  // broken by us
  response.on('error', () => {});
  if (response.statusCode !== 200) throw new Error(`watch ${path}: ${response.statusCode}`);
  return {
    events,
    until: async (what, condition) => void (await until(what, () => condition(events), { timeout: 20_000 })),
    break: () => asking.destroy(),
  };
}
