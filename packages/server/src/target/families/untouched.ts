/** A request that goes to one cluster with its path, query and body byte for byte as received (URL-8). */

import { readRequestInfo, verbFor } from '@fleet/kube/request-info.ts';
import { notFound } from '@fleet/kube/status.ts';
import { decodeLoosely, rawSegments, readSegment, refuseDotSegments } from '../path.ts';
import { rightFor } from '../streams.ts';
import { type Ask, type ClusterName, karmada, type ParsedTarget, type RawRequest } from '../target.ts';

/**
 * What the path asks is read to tell long-running requests and streams from others, as the member may read it: kube-apiserver
 * splits at encoded slashes, too, and what is in front of it may take two slashes for one.
 */
function askOf({ method, path, query }: RawRequest): Ask {
  // Bytes that are no valid encoding stay: the member will say what it thinks of them.
  const decoded = rawSegments(path).map(decodeLoosely).join('/');
  const info = readRequestInfo(method, decoded.split('/').filter(Boolean), new URLSearchParams(query));
  return info ? { is: 'resource', ...info } : { is: 'path', path };
}

/** `karmada` is no cluster of these families, though it is a clusterspace. */
export function memberNamed(raw: string): ClusterName {
  const name = readSegment(raw);
  if (name === karmada) throw notFound({ group: 'cluster.karmada.io', resource: 'clusters' }, name);
  return name;
}

/** The right is asked for as a kube-apiserver in front would: by the method of the outer URL (AUTHZ-2). */
export function untouched(inner: RawRequest, cluster: ClusterName): ParsedTarget {
  refuseDotSegments(inner.path);
  const ask = askOf(inner);
  return {
    ask,
    place: { at: 'one', cluster },
    view: { names: 'plain' },
    right: rightFor('clusters/proxy', verbFor(inner.method), ask),
    wire: inner,
    wishes: { partial: undefined },
  };
}
