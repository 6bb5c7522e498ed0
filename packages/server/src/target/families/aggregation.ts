/**
 * `/apis/search.karmada.io/v1alpha1/proxying/{any}/proxy/{path}`, or for short `/apis/search.karmada.io/v1alpha1/proxying/{api|apis}/…`:
 * registered resources come from members, with plain names; everything else comes from the control plane (URL-6, CACHE-10).
 */

import { verbFor } from '@fleet/kube/request-info.ts';
import { readAddress } from '../address.ts';
import { readSegment, refuseDotSegments } from '../path.ts';
import { readQuery } from '../query.ts';
import { isReview } from '../review-spec.ts';
import { permissionFor } from '../streams.ts';
import { type Ask, karmada, type RawRequest, type RequiredPermission, type UrlFamily, type View } from '../target.ts';
import { here, type MergedFamily, merged, onePlace } from './resource-paths.ts';

const root = '/apis/search.karmada.io/v1alpha1/proxying/';
const long = /^([^/]+)\/proxy(\/.*)?$/;
const short = /^apis?(\/|$)/;

/** The name for which the short form is authorised. */
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

const familyOf = (permission: MergedFamily['permission']): MergedFamily => ({
  lists: aggregationView,
  found: aggregationView,
  about: 'members',
  permission,
  mergesNamed: true,
  registered: true,
});

/** A server's descriptions of its resources: the control plane's lack those that only members have. */
const describes = /^\/(api|apis|openapi)(\/|$)/;

export const aggregation: UrlFamily = {
  name: 'aggregation',
  parse(request, { registrations }) {
    const inner = entered(request.path);
    if (!inner) return undefined;
    const { requestOptions, rest } = readQuery(request.query);
    const asked: RawRequest = { ...request, path: inner.path, query: rest };
    const permission = (method: string, ask: Ask): RequiredPermission => ({
      ...permissionFor('proxying/proxy', verbFor(method), ask),
      name: inner.name,
    });
    const address = readAddress(asked);
    const { info } = address;
    if (info) {
      if (registrations.isRegistered(info)) return merged(asked, requestOptions, familyOf(permission), address);
      const own = onePlace(asked, requestOptions, karmada, permission, address);
      if (info.verb === 'watch') return { ...own, unregistered: true };
      // The reviewed resource may be registered, which only the body shows.
      return isReview(own.ask) ? { ...own, mentions: address.mentions } : own;
    }
    refuseDotSegments(asked.path);
    if (describes.test(asked.path)) return here(asked, requestOptions, { about: 'aggregation', permission });
    const ask: Ask = { is: 'path', path: asked.path };
    return {
      ask,
      place: { at: 'one', cluster: karmada },
      view: { names: 'plain' },
      permission: permission(request.method, ask),
      wire: asked,
      requestOptions,
    };
  },
};
