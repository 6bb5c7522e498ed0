/** The position of the proxy to a pod, service or node: in the client's URL, and in the one that the member gets (SEC-1). */

import { decodeLoosely, rawSegments } from './path.ts';
import { keyOf } from './query.ts';
import type { Ask, ParsedTarget, Proxied } from './target.ts';

const proxies = new Set(['pods', 'services', 'nodes']);

/** Proxies to a program with paths of its own. A `proxy` in other groups leads to a whole API server. */
const hasOwnPaths = (ask: Ask): ask is Ask & { is: 'resource' } =>
  ask.is === 'resource' &&
  ask.group === '' &&
  proxies.has(ask.resource) &&
  (ask.verb === 'proxy' || ask.subresource === 'proxy');

/** The path after the proxy is forwarded unchanged in every family, so both URLs end with it. */
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
 * How many segments the member needs for the first `needed`: `/api/v1/[namespaces/{ns}/]{resource}/{name}/proxy`, or with
 * `proxy` before the namespace. Members skip empty segments and split at encoded slashes; undefined if one crosses the border.
 */
function holding(segments: readonly string[], needed: number): number | undefined {
  let read = 0;
  for (const [at, segment] of segments.entries()) {
    read += decodeLoosely(segment).split('/').filter(Boolean).length;
    if (read >= needed) return read === needed ? at + 1 : undefined;
  }
  return undefined;
}

/** The `clusterspace=…` that selected the cluster, and that the product removed. */
function clusterspaceIn(query: string, forwarded: string): string {
  const isClusterspace = (pair: string) => keyOf(pair) === 'clusterspace';
  if (forwarded.split('&').some(isClusterspace)) return '';
  return query.split('&').find(isClusterspace) ?? '';
}
