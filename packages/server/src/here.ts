/** What the product answers itself: health, version, metrics, and the merged view's discovery (URL-10). */

import { methodNotAllowed, noSuchResource } from '@fleet/kube/status.ts';
import type { Granted } from './authz/authorize.ts';
import { answerDiscovery } from './discovery/answer.ts';
import type { Discovery } from './discovery/discovery.ts';
import { type Incoming, jsonReply, type PlainReply } from './http/message.ts';
import type { Metrics } from './observe/metrics.ts';

export interface HereParts {
  discovery: Discovery;
  metrics: Metrics;
  /** The control plane's `/version`, marked as ours. */
  version: Record<string, string>;
  ready: () => boolean;
}

const text = (status: number, body: string, contentType = 'text/plain; charset=utf-8'): PlainReply => ({
  is: 'plain',
  status,
  headers: { 'content-type': contentType, 'x-content-type-options': 'nosniff' },
  body: Buffer.from(body),
});

const paths = ['/api', '/apis', '/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];

export const createHere =
  ({ discovery, metrics, version, ready }: HereParts) =>
  async ({ target }: Granted, { headers }: Incoming): Promise<PlainReply> => {
    const { method, path } = target.wire;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(`${method} is not allowed on ${path}`);
    switch (path) {
      case '/':
        return jsonReply(200, { paths });
      case '/livez':
        return text(200, 'ok');
      case '/healthz':
      case '/readyz':
        return ready() ? text(200, 'ok') : text(503, 'not ready: it is ending');
      case '/version':
        return jsonReply(200, version);
      case '/metrics':
        return text(200, await metrics.registry.metrics(), metrics.registry.contentType);
      default: {
        const found = await answerDiscovery(discovery, path, headers);
        if (!found) throw noSuchResource();
        return found;
      }
    }
  };
