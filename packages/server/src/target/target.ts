/** A target: what a request asks, where it goes, and how its answer is shown. After this folder nobody looks at the URL. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';

export type ClusterName = string;

/** The clusterspace that means the control plane. */
export const karmada = 'karmada';

export type Place =
  /** The product itself: health, metrics, discovery of a merged view. */
  | { at: 'here' }
  | { at: 'one'; cluster: ClusterName }
  | { at: 'many'; clusters: ManyClusters }
  /** The one member that has the named object. */
  | { at: 'found' };

/** Which members: all, these, or all but these. */
export interface ManyClusters {
  only?: readonly ClusterName[];
  except?: readonly ClusterName[];
}

/** A create by a vanilla URL names its cluster in the body. */
export type ParsedPlace = Place | { at: 'in-body' };

export interface View {
  names: 'plain' | 'name-suffixed';
}

export type Ask = ({ is: 'resource' } & ResourceRequest) | { is: 'path'; path: string };

/** The right that reaching a member needs in the control plane (AUTHZ-2), beside what the member itself decides. */
export interface Right {
  resource: 'clusters/proxy' | 'clusterspaces';
  verb: string;
}

/** What goes to an upstream, as strings that were checked once and are sent as they are. */
export interface Wire {
  method: string;
  path: string;
  /** Without `?`; the product's own parameters are taken out. */
  query: string;
  /** The URL ends in a `?` that nothing follows: a difference to whoever signs or compares URLs. */
  bareMark?: true;
}

/** Query parameters that speak to the product (URL-9). */
export interface Wishes {
  /** `partial=true|false`: whether a list may be shorter when a member is away (LIST-4). */
  partial: boolean | undefined;
}

export interface ParsedTarget {
  ask: Ask;
  place: ParsedPlace;
  view: View;
  right: Right;
  wire: Wire;
  wishes: Wishes;
}

export interface Target extends ParsedTarget {
  place: Place;
}

/** A URL family recognises its own URLs; `undefined` means: not mine. */
export interface UrlFamily {
  name: string;
  parse(request: RawRequest): ParsedTarget | undefined;
}

/** The request line, cut once: nothing decoded yet. */
export interface RawRequest {
  method: string;
  /** Begins with `/`; no query. */
  path: string;
  query: string;
  bareMark?: true;
}

export const wireUrl = ({ path, query, bareMark }: Wire): string => (query || bareMark ? `${path}?${query}` : path);
