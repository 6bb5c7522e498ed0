/** A request that is sent to one cluster with path, query and body exactly as received (URL-8). */

import { readRequestInfo, verbFor } from '@fleet/kube/request-info.ts';
import { notFound } from '@fleet/kube/status.ts';
import { decodeLoosely, rawSegments, readSegment, refuseDotSegments } from '../path.ts';
import { permissionFor } from '../streams.ts';
import { type Ask, type ClusterName, karmada, type ParsedTarget, type RawRequest } from '../target.ts';

/**
 * The path is parsed only to recognise long-running requests and streams. It is parsed as the member may do it: kube-apiserver also
 * splits at encoded slashes, and a proxy in front of it may merge two slashes.
 */
function askOf({ method, path, query }: RawRequest): Ask {
  // Invalid encodings stay as they are: the member reports them.
  const decoded = rawSegments(path).map(decodeLoosely).join('/');
  const info = readRequestInfo(method, decoded.split('/').filter(Boolean), new URLSearchParams(query));
  return info ? { is: 'resource', ...info } : { is: 'path', path };
}

/** `karmada` is not a cluster in these families, although it is a clusterspace. */
export function memberNamed(raw: string): ClusterName {
  const name = readSegment(raw);
  if (name === karmada) throw notFound({ group: 'cluster.karmada.io', resource: 'clusters' }, name);
  return name;
}

/** The permission is reviewed as a kube-apiserver in front would do: by the method of the outer URL (AUTHZ-2). */
export function untouched(inner: RawRequest, cluster: ClusterName): ParsedTarget {
  refuseDotSegments(inner.path);
  const ask = askOf(inner);
  return {
    ask,
    place: { at: 'one', cluster },
    view: { names: 'plain' },
    permission: permissionFor('clusters/proxy', verbFor(inner.method), ask),
    wire: inner,
    requestOptions: { partial: undefined },
  };
}
