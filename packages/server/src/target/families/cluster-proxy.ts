/** `/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy/{path}`: any request to one member, bytes untouched (URL-4). */

import { readRequestInfo, verbFor } from '@fleet/kube/request-info.ts';
import { decodeLoosely, rawSegments, readSegment, refuseDotSegments } from '../path.ts';
import type { Ask, UrlFamily } from '../target.ts';

const pattern = /^\/apis\/cluster\.karmada\.io\/v1alpha1\/clusters\/([^/]+)\/proxy(\/.*)?$/;

/** What the tail asks is read only to tell long-running requests from others; it is forwarded as it came. */
function askOf(method: string, tail: string, query: string): Ask {
  // Bytes that are no valid encoding stay: the member will say what it thinks of them.
  const info = readRequestInfo(method, rawSegments(tail).map(decodeLoosely), new URLSearchParams(query));
  return info ? { is: 'resource', ...info } : { is: 'path', path: tail };
}

export const clusterProxy: UrlFamily = {
  name: 'cluster-proxy',
  parse({ method, path, query }) {
    const match = pattern.exec(path);
    if (!match) return undefined;
    const cluster = readSegment(match[1]!);
    const tail = match[2] ?? '/';
    refuseDotSegments(tail);
    return {
      ask: askOf(method, tail, query),
      place: { at: 'one', cluster },
      view: { names: 'plain' },
      right: { resource: 'clusters/proxy', verb: verbFor(method) },
      wire: { method, path: tail, query },
      wishes: { partial: undefined },
    };
  },
};
