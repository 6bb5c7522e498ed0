/** Parses a URL into a target: the first URL family that recognises it parses it. */

import { badRequest } from '@fleet/kube/status.ts';
import { aggregation } from './families/aggregation.ts';
import { clusterProxy } from './families/cluster-proxy.ts';
import { fleet } from './families/fleet.ts';
import { kubesphere } from './families/kubesphere.ts';
import { search } from './families/search.ts';
import { vanilla } from './families/vanilla.ts';
import { refuseDotSegments } from './path.ts';
import { proxiedBy } from './proxied.ts';
import { nothingRegistered, type Registrations } from './registered.ts';
import type { ParsedTarget, UrlFamily } from './target.ts';

const families: readonly UrlFamily[] = [clusterProxy, aggregation, search, kubesphere, fleet, vanilla];

/** `url` is the request line's path and query, as received. `templates`: whether federation is on. */
export function parseTarget(
  method: string,
  url: string,
  registrations: Registrations = nothingRegistered,
  templates = false,
): ParsedTarget {
  if (!url.startsWith('/')) throw badRequest('the request target must be a path');
  // A fragment is invalid in a request line, and servers treat it differently.
  if (url.includes('#')) throw badRequest('the request target contains a fragment');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark + 1);
  for (const family of families) {
    const request = { method, path, query, ...(mark === url.length - 1 ? ({ bareMark: true } as const) : {}) };
    const parsed = family.parse(request, { registrations, templates });
    if (!parsed) continue;
    // For all families: a path that could be normalised on its way must not differ from the authorised one (URL-8).
    refuseDotSegments(parsed.wire.path);
    const proxied = proxiedBy(parsed, path, query);
    return proxied ? { ...parsed, proxied } : parsed;
  }
  throw badRequest('unknown path');
}
