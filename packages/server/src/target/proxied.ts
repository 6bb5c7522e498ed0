/** Where the proxy to a pod, service or node begins: in the client's URL, and in the one that the member sees (SEC-1). */

import { decodeLoosely, rawSegments } from './path.ts';
import { keyOf } from './query.ts';
import type { Ask, ParsedTarget, Proxied } from './target.ts';

const proxies = new Set(['pods', 'services', 'nodes']);

/** Another program answers, whose own paths follow; a `proxy` of other groups leads to whole API servers. */
const hasOwnPaths = (ask: Ask): ask is Ask & { is: 'resource' } =>
  ask.is === 'resource' &&
  ask.group === '' &&
  proxies.has(ask.resource) &&
  (ask.verb === 'proxy' || ask.subresource === 'proxy');

/** What follows the proxy is forwarded byte for byte in every family, so both paths end in it. */
export function proxiedBy({ ask, wire }: ParsedTarget, path: string, query: string): Proxied | undefined {
  if (!hasOwnPaths(ask)) return undefined;
  const segments = rawSegments(wire.path);
  const count = holding(segments, ask.namespace === undefined ? 5 : 7);
  if (count === undefined) return undefined;
  const inner = `/${segments.slice(0, count).join('/')}`;
  const behind = wire.path.slice(inner.length);
  if (!path.endsWith(behind)) return undefined;
  return { inner, outer: path.slice(0, path.length - behind.length), query: clusterspaceIn(query, wire.query) };
}

/**
 * How many segments hold the first `wanted` that a member reads: `/api/v1/[namespaces/{ns}/]{resource}/{name}/proxy`, or with
 * `proxy` before the namespace. Members skip empty ones and split at encoded slashes; undefined where one hides the border.
 */
function holding(segments: readonly string[], wanted: number): number | undefined {
  let read = 0;
  for (const [at, segment] of segments.entries()) {
    read += decodeLoosely(segment).split('/').filter(Boolean).length;
    if (read >= wanted) return read === wanted ? at + 1 : undefined;
  }
  return undefined;
}

/** `clusterspace=…` where it chose the cluster: the product took it out. */
function clusterspaceIn(query: string, forwarded: string): string {
  const isClusterspace = (pair: string) => keyOf(pair) === 'clusterspace';
  if (forwarded.split('&').some(isClusterspace)) return '';
  return query.split('&').find(isClusterspace) ?? '';
}
