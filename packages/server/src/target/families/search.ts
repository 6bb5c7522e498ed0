/** `/apis/search.karmada.io/v1alpha1/search/cache/{path}`: lists of registered resources, from the cache only (CACHE-15). */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { badRequest, methodNotAllowed, noSuchResource } from '@fleet/kube/status.ts';
import { type Address, readAddress } from '../address.ts';
import { oneCluster } from '../mention.ts';
import { rawSegments, readSegment } from '../path.ts';
import { keyOf, readQuery } from '../query.ts';
import type { ManyClusters, RawRequest, UrlFamily } from '../target.ts';
import { aggregationView } from './aggregation.ts';

const root = '/apis/search.karmada.io/v1alpha1/search/cache/';

export const search: UrlFamily = {
  name: 'search',
  parse(request) {
    if (!request.path.startsWith(root)) return undefined;
    const { method, path } = request;
    if (method !== 'GET') throw methodNotAllowed(`${method} is not allowed on ${path}: it lists, by GET alone`);
    const { requestOptions, rest } = readQuery(request.query);
    if (requestOptions.consistent) throw badRequest('consistent=true requires members, which this endpoint never asks');
    const asked: RawRequest = { ...request, path: `/${path.slice(root.length)}`, query: rest };
    const { info, address } = listed(asked);
    return {
      ask: { is: 'resource', ...info },
      place: { at: 'many', clusters: clustersOf(address) },
      view: aggregationView,
      permission: { resource: 'search', name: 'cache', verb: 'get' },
      wire: { method, path: address.path, query: address.query },
      requestOptions,
      // For an unregistered resource no cluster is left: an empty list, as in Karmada.
      registered: true,
      cacheOnly: true,
    };
  },
};

interface Listed {
  info: ResourceRequest;
  address: Address;
}

/** A path that names one object is a list by that name. */
function listed(asked: RawRequest): Listed {
  const address = readAddress(asked);
  const { info } = address;
  if (!info || info.subresource !== undefined || info.verb === 'proxy') throw noSuchResource();
  if (info.verb === 'list') return { info, address };
  if (info.verb !== 'get') throw methodNotAllowed(`${info.verb} is not supported here, which only lists`);
  const segments = rawSegments(asked.path).filter((segment) => segment !== '');
  const name = readSegment(segments.pop()!);
  return listed({ ...asked, path: `/${segments.join('/')}`, query: selecting(asked.query, name) });
}

/** Adds the name to the other selectors. */
function selecting(query: string, name: string): string {
  const pairs = query.split('&').filter((pair) => pair !== '');
  const given = new URLSearchParams(query).get('fieldSelector');
  const selector = [`metadata.name=${name}`, ...(given ? [given] : [])].join(',');
  const others = pairs.filter((pair) => keyOf(pair) !== 'fieldSelector');
  return [...others, `fieldSelector=${encodeURIComponent(selector)}`].join('&');
}

/** The named cluster, or those that the label selects. */
function clustersOf({ mentions, chosen }: Address): ManyClusters {
  const cluster = oneCluster(mentions);
  return cluster === undefined ? chosen : { only: [cluster] };
}
