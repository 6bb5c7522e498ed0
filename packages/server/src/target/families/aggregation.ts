/**
 * `/apis/search.karmada.io/v1alpha1/proxying/{any}/proxy/{path}`, or for short `/apis/search.karmada.io/v1alpha1/proxying/{api|apis}/…`:
 * resources that are registered come from members, names plain; everything else is the control plane's (URL-6, CACHE-10).
 */

import { verbFor } from '@fleet/kube/request-info.ts';
import { readAddress } from '../address.ts';
import { readSegment, refuseDotSegments } from '../path.ts';
import { readQuery } from '../query.ts';
import { isReview } from '../review-spec.ts';
import { rightFor } from '../streams.ts';
import { type Ask, karmada, type RawRequest, type Right, type UrlFamily, type View } from '../target.ts';
import { here, type MergedFamily, merged, onePlace } from './resource-paths.ts';

const root = '/apis/search.karmada.io/v1alpha1/proxying/';
const long = /^([^/]+)\/proxy(\/.*)?$/;
const short = /^apis?(\/|$)/;

/** As whom, so to speak, the short form asks. */
const nameOfShortForm = karmada;

interface Entered {
  name: string;
  path: string;
}

function entered(path: string): Entered | undefined {
  if (!path.startsWith(root)) return undefined;
  const rest = path.slice(root.length);
  if (short.test(rest)) return { name: nameOfShortForm, path: `/${rest}` };
  const match = long.exec(rest);
  return match ? { name: readSegment(match[1]!), path: match[2] ?? '/' } : undefined;
}

export const aggregationView: View = {
  names: 'plain',
  annotated: 'resource.karmada.io/cached-from-cluster',
  versions: 'maps',
};

const familyOf = (right: MergedFamily['right']): MergedFamily => ({
  lists: aggregationView,
  found: aggregationView,
  about: 'members',
  right,
  mergesNamed: true,
  registered: true,
});

/** What of a server describes its resources: that of the control plane lacks those that only members have. */
const describes = /^\/(api|apis|openapi)(\/|$)/;

export const aggregation: UrlFamily = {
  name: 'aggregation',
  parse(request, { registrations }) {
    const inner = entered(request.path);
    if (!inner) return undefined;
    const { wishes, rest } = readQuery(request.query);
    const asked: RawRequest = { ...request, path: inner.path, query: rest };
    const right = (method: string, ask: Ask): Right => ({
      ...rightFor('proxying/proxy', verbFor(method), ask),
      name: inner.name,
    });
    const address = readAddress(asked);
    const { info } = address;
    if (info) {
      if (registrations.isRegistered(info)) return merged(asked, wishes, familyOf(right), address);
      const own = onePlace(asked, wishes, karmada, right, address);
      if (info.verb === 'watch') return { ...own, unregistered: true };
      // What a review asks about may be registered, which its body says.
      return isReview(own.ask) ? { ...own, mentions: address.mentions } : own;
    }
    refuseDotSegments(asked.path);
    if (describes.test(asked.path)) return here(asked, wishes, { about: 'aggregation', right });
    const ask: Ask = { is: 'path', path: asked.path };
    return {
      ask,
      place: { at: 'one', cluster: karmada },
      view: { names: 'plain' },
      right: right(request.method, ask),
      wire: asked,
      wishes,
    };
  },
};
