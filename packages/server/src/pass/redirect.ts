/**
 * Redirects of members. Clients follow a 307 with method, body and credential, so a member could make them write to another one.
 * None is passed on unless it stays within a proxy (SEC-1), as in kube-apiserver for aggregated servers since CVE-2022-3172.
 */

import type { Headers } from '@fleet/client/upstream.ts';
import { badGateway, type StatusError } from '@fleet/kube/status.ts';
import { decodeLoosely, rawSegments } from '../target/path.ts';
import { keyOf } from '../target/query.ts';
import { type Proxied, type Wire, wireUrl } from '../target/target.ts';

export const isRedirect = (status: number, { location }: Headers): boolean =>
  status >= 300 && status < 400 && location !== undefined;

export const redirectRefused = (cluster: string): StatusError =>
  badGateway(`cluster "${cluster}" attempted to redirect this request, which is not permitted`);

/** Placeholder for the member's own address, which upstreams have removed. */
const member = 'member.invalid';

/** As a query parameter of the product, it would lead to another cluster. */
const namesCluster = (query: string): boolean => query.split('&').some((pair) => keyOf(pair) === 'clusterspace');

/** The Location that the client gets; undefined if it leaves the proxy. */
export function locationWithin(proxied: Proxied, wire: Wire, location: Headers[string]): string | undefined {
  const base = `http://${member}${wireUrl(wire)}`;
  if (typeof location !== 'string' || !URL.canParse(location, base)) return undefined;
  const { host, pathname, search, hash } = new URL(location, base);
  const inner = rawSegments(proxied.inner);
  const segments = rawSegments(pathname);
  // Decoded, as Go may encode segments differently.
  const isWithin =
    host === member && inner.every((segment, at) => decodeLoosely(segment) === decodeLoosely(segments[at] ?? ''));
  if (!isWithin || namesCluster(search.slice(1))) return undefined;
  const query = [proxied.query, search.slice(1)].filter(Boolean).join('&');
  const path = [proxied.outer, ...segments.slice(inner.length)].join('/');
  return `${path}${query && `?${query}`}${hash}`;
}
